/** Estimators of the properties of a load. Pure: no Kafka, clock, thread or file, and no record contents. */
@NullMarked
package io.plimsoll.perf.capture.shape;

import org.jspecify.annotations.NullMarked;
