/** Calibration: the maximum throughput of this process's engines on this host, without a cluster. */
package io.plimsoll.run.calibrate;
