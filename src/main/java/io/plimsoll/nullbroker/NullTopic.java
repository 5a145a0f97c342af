package io.plimsoll.nullbroker;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.Uuid;

/** A topic of a null broker: its names on the wire and its partitions. */
final class NullTopic {
    private final String name;
    private final Uuid id;
    private final byte[] nameBytes;
    private final NullPartition[] partitions;

    NullTopic(String name, Uuid id, int partitionCount, long preloadedRecords) {
        this.name = name;
        this.id = id;
        this.nameBytes = name.getBytes(StandardCharsets.UTF_8);
        this.partitions = new NullPartition[partitionCount];
        for (int i = 0; i < partitionCount; i++) {
            partitions[i] = new NullPartition(preloadedRecords);
        }
    }

    String name() {
        return name;
    }

    Uuid id() {
        return id;
    }

    int partitionCount() {
        return partitions.length;
    }

    /** @return null if there is no such partition */
    NullPartition partition(int index) {
        return index >= 0 && index < partitions.length ? partitions[index] : null;
    }

    /** Compares without making a string of the bytes. */
    boolean isNamed(ByteBuffer source, int start, int length) {
        if (length != nameBytes.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (source.get(start + i) != nameBytes[i]) {
                return false;
            }
        }
        return true;
    }

    boolean hasId(long mostSignificant, long leastSignificant) {
        return id.getMostSignificantBits() == mostSignificant && id.getLeastSignificantBits() == leastSignificant;
    }
}
