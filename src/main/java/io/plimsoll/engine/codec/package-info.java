/** Compression of record batches, in the framing of Kafka's clients. */
package io.plimsoll.engine.codec;
