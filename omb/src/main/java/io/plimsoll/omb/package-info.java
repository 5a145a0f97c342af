/** The command and results of OpenMessaging Benchmark, with its options, names, units and structure. */
package io.plimsoll.omb;
