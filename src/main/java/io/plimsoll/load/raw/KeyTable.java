package io.plimsoll.load.raw;

import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.wire.KeyHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * The first keys of a generator, and the partitions to which Kafka's producer would send them. They stand for all that
 * the generator would make: records are routed as these are, and the templates of a partition carry those of these that
 * belong there. Immutable; used by one thread.
 */
final class KeyTable {
    static final int KEYS = 1 << 17;

    private final byte[][] keys;

    /** @param generator no one else's; of records with keys */
    KeyTable(RecordGenerator generator) {
        keys = new byte[KEYS][];
        byte[] last = null;
        for (int i = 0; i < KEYS; i++) {
            byte[] key = generator.nextKey();
            // One object for equal neighbours: a fixed key is one.
            last = last != null && Arrays.equals(last, key) ? last : key.clone();
            keys[i] = last;
        }
    }

    /** The partition of each key, in the order of the keys. */
    int[] route(int partitions) {
        int[] route = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            route[i] = KeyHash.partition(keys[i], partitions);
        }
        return route;
    }

    /** The keys that belong to a partition, in their order, over and over again. */
    Supplier<byte[]> keysOf(int partition, int[] route) {
        List<byte[]> own = new ArrayList<>();
        for (int i = 0; i < route.length; i++) {
            if (route[i] == partition) {
                own.add(keys[i]);
            }
        }
        if (own.isEmpty()) {
            throw new IllegalArgumentException("no key belongs to partition " + partition);
        }
        return new Supplier<>() {
            private int at;

            @Override
            public byte[] get() {
                byte[] key = own.get(at);
                at = at + 1 == own.size() ? 0 : at + 1;
                return key;
            }
        };
    }
}
