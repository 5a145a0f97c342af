/** The output lines of Kafka's own performance tools, filled with our figures. MB is 2^20 bytes here, as there. */
package io.plimsoll.report.perf;
