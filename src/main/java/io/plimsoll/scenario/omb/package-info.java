/** Translates the driver and workload files of OpenMessaging Benchmark into a scenario. Pure. */
package io.plimsoll.scenario.omb;
