/** Samples logs and cluster metadata, and writes a scenario with a similar load. */
@NullMarked
package io.plimsoll.perf.capture;

import org.jspecify.annotations.NullMarked;
