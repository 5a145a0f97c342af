package io.plimsoll.watch;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The header of a watch record's value: four numbers of eight bytes, followed by zeros.
 *
 * @param watch identity of the watch, constant across restarts
 * @param process process of the watch that sent the record
 * @param sequence sequence within the partition
 */
record WatchRecord(UUID watch, long process, long sequence) {
    byte[] value(int bytes) {
        return ByteBuffer.allocate(bytes)
                .putLong(watch.getMostSignificantBits())
                .putLong(watch.getLeastSignificantBits())
                .putLong(process)
                .putLong(sequence)
                .array();
    }

    /** @return null if the value is too short */
    static WatchRecord of(byte[] value) {
        if (value == null || value.length < WatchSettings.LEAST_BYTES) {
            return null;
        }
        ByteBuffer numbers = ByteBuffer.wrap(value);
        return new WatchRecord(new UUID(numbers.getLong(), numbers.getLong()), numbers.getLong(), numbers.getLong());
    }
}
