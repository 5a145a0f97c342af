/** Generates load with the official client, KafkaProducer and KafkaConsumer. */
@NullMarked
package io.plimsoll.load.client;

import org.jspecify.annotations.NullMarked;
