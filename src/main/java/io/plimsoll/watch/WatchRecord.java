package io.plimsoll.watch;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What a record of a watch carries at the begin of its value, as four numbers of eight bytes; zeros follow.
 *
 * @param watch whose it is, the same after each restart
 * @param process of the watch that sent it
 * @param sequence within its partition
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

    /** @return null where it is too short to be one */
    static WatchRecord of(byte[] value) {
        if (value == null || value.length < WatchSettings.LEAST_BYTES) {
            return null;
        }
        ByteBuffer numbers = ByteBuffer.wrap(value);
        return new WatchRecord(new UUID(numbers.getLong(), numbers.getLong()), numbers.getLong(), numbers.getLong());
    }
}
