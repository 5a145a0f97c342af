/** Samples logs and cluster metadata, and writes a scenario with a similar load. */
@NullMarked
package io.plimsoll.capture;

import org.jspecify.annotations.NullMarked;
