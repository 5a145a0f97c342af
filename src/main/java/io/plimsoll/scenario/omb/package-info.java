/**
 * From the files of OpenMessaging Benchmark (a driver and a workload) to a scenario. Pure, as the room is: texts come in,
 * a plan or a list of problems comes out.
 */
package io.plimsoll.scenario.omb;
