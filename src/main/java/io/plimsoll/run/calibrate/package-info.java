/** Calibration: the maximum throughput of this process's engines on this host, without a cluster. */
@NullMarked
package io.plimsoll.run.calibrate;

import org.jspecify.annotations.NullMarked;
