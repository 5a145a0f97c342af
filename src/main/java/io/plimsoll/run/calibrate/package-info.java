/** Measures what the engines of this process can do on this host, without a cluster. */
package io.plimsoll.run.calibrate;
