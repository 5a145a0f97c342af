/** The official Apache Kafka client: access to a cluster, its topics, and load through KafkaProducer and KafkaConsumer. */
package io.plimsoll.engine.client;
