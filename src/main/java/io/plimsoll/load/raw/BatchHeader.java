package io.plimsoll.load.raw;

import io.plimsoll.wire.BatchLayout;
import io.plimsoll.wire.Codec;
import java.nio.ByteBuffer;

/**
 * Writes the header of a record batch that begins at index 0 of a big-endian buffer. Offset and timestamp deltas of the
 * records count from 0, so every record has the batch's timestamp.
 */
final class BatchHeader {
    /** Producer id, epoch and sequence of a producer that is not idempotent. */
    static final int NO_PRODUCER = -1;

    private static final int UNKNOWN_LEADER_EPOCH = -1;

    private BatchHeader() {}

    /** The fields that stay as they are. */
    static void writeFixed(ByteBuffer batch, Codec codec) {
        batch.putLong(BatchLayout.BASE_OFFSET, 0);
        batch.putInt(BatchLayout.PARTITION_LEADER_EPOCH, UNKNOWN_LEADER_EPOCH);
        batch.put(BatchLayout.MAGIC, BatchLayout.MAGIC_2);
        batch.putShort(BatchLayout.ATTRIBUTES, codec.attributes());
    }

    /** Makes the batch end after its first {@code records} records, at {@code sizeBytes}. */
    static void writeEnd(ByteBuffer batch, int records, int sizeBytes) {
        batch.putInt(BatchLayout.LENGTH, sizeBytes - BatchLayout.LENGTH_COUNTS_FROM);
        batch.putInt(BatchLayout.LAST_OFFSET_DELTA, records - 1);
        batch.putInt(BatchLayout.RECORDS_COUNT, records);
    }

    static void writeTimestamp(ByteBuffer batch, long epochMillis) {
        batch.putLong(BatchLayout.BASE_TIMESTAMP, epochMillis);
        batch.putLong(BatchLayout.MAX_TIMESTAMP, epochMillis);
    }

    static void writeProducer(ByteBuffer batch, long producerId, short producerEpoch, int baseSequence) {
        batch.putLong(BatchLayout.PRODUCER_ID, producerId);
        batch.putShort(BatchLayout.PRODUCER_EPOCH, producerEpoch);
        batch.putInt(BatchLayout.BASE_SEQUENCE, baseSequence);
    }
}
