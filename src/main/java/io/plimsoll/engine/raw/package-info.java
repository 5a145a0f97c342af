/** The raw engine: batches encoded beforehand, without Kafka's internals, which only {@code raw.kafka} touches. */
package io.plimsoll.engine.raw;
