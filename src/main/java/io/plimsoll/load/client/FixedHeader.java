package io.plimsoll.load.client;

import org.apache.kafka.common.header.Header;

/** A header that is the same for every record. */
record FixedHeader(String key, byte[] value) implements Header {}
