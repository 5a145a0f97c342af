/**
 * Predicts the number of brokers for a load from the measured cost of other loads. Pure: no Kafka, clock, thread or
 * file.
 */
@NullMarked
package io.plimsoll.capacity;

import org.jspecify.annotations.NullMarked;
