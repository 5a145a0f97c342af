/** Translates the driver and workload files of OpenMessaging Benchmark into a scenario. Pure. */
@NullMarked
package io.plimsoll.omb.files;

import org.jspecify.annotations.NullMarked;
