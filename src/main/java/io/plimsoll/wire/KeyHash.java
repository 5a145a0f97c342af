package io.plimsoll.wire;

import org.apache.kafka.common.utils.Utils;

/** Where Kafka's producer sends a record with a key. */
public final class KeyHash {
    private KeyHash() {}

    /** @param partitions of the topic */
    public static int partition(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }
}
