/** OpenMessaging Benchmark's command and results, with its options, names, units and structure. */
package io.plimsoll.omb;
