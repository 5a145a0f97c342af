/** Results as OpenMessaging Benchmark writes them: its names, its units, its shape. */
package io.plimsoll.report.omb;
