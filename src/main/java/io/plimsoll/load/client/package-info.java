/** Load through KafkaProducer and KafkaConsumer, the official client. */
package io.plimsoll.load.client;
