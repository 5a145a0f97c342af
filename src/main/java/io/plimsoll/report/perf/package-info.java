/** The output lines of Kafka's own performance tools, filled with Plimsoll's figures. As in these tools, MB is 2^20 bytes. */
package io.plimsoll.report.perf;
