/** Results in OpenMessaging Benchmark's format, with its names, units and structure. */
package io.plimsoll.report.omb;
