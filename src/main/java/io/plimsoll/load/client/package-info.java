/** Generates load with the official client, KafkaProducer and KafkaConsumer. */
package io.plimsoll.load.client;
