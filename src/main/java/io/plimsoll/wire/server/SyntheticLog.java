package io.plimsoll.wire.server;

import io.plimsoll.wire.Codec;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Prebuilt valid record batches from which a response for any offset is composed. The CRC does not cover the base
 * offset, so the same bytes fit anywhere in the log. There are several full-size batches with different payloads, and,
 * for the end of a log, one batch for each smaller power of two. Immutable, so all threads share the memory.
 */
public final class SyntheticLog {
    /** Size in bytes of the base offset, which precedes the part of a batch that {@link #show} selects. */
    static final int BASE_OFFSET_BYTES = Long.BYTES;

    private static final int MOST_FULL_BATCHES = 16;
    private static final int FULL_BATCHES_BYTES = 4 << 20;

    /** Shape of the log, with the number of records in every partition at the start. */
    public record Shape(long records, int recordBytes, int recordsPerBatch, Codec codec) {
        private static final long MOST_BATCH_BYTES = 64 << 20;

        public Shape {
            if (records < 0 || records > Long.MAX_VALUE / 2) {
                throw new IllegalArgumentException("a log has 0 to 2^62 records, found " + records);
            }
            if (recordBytes < 0 || recordBytes > 1 << 24) {
                throw new IllegalArgumentException("a record has 0 to 2^24 bytes, found " + recordBytes);
            }
            if (recordsPerBatch < 1 || recordsPerBatch > 100_000) {
                throw new IllegalArgumentException("a batch has 1 to 100000 records, found " + recordsPerBatch);
            }
            if ((long) recordBytes * recordsPerBatch > MOST_BATCH_BYTES) {
                throw new IllegalArgumentException("a batch has at most 64 MiB, found " + recordsPerBatch
                        + " records of " + recordBytes + " bytes");
            }
        }
    }

    private final ByteBuffer bytes;
    private final int[] starts;
    private final int[] records;
    private final int fullBatches;
    /** Timestamp of every record. */
    final long timestampMillis;

    /** @param values record values; null for random bytes */
    public SyntheticLog(Shape shape, @Nullable Supplier<byte[]> values, long seed, long timestampMillis) {
        this.timestampMillis = timestampMillis;
        int fullBytes = Math.max(1, shape.recordBytes() * shape.recordsPerBatch());
        fullBatches = Math.max(1, Math.min(MOST_FULL_BATCHES, FULL_BATCHES_BYTES / fullBytes));
        int partial = Integer.SIZE - Integer.numberOfLeadingZeros(shape.recordsPerBatch() - 1);
        records = new int[fullBatches + partial];
        starts = new int[records.length + 1];
        ByteBuffer[] batches = new ByteBuffer[records.length];
        Supplier<byte[]> given = values == null ? random(shape.recordBytes(), seed) : values;
        for (int i = 0; i < batches.length; i++) {
            records[i] = i < fullBatches ? shape.recordsPerBatch() : 1 << (batches.length - 1 - i);
            batches[i] = batch(shape.codec(), records[i], given);
            starts[i + 1] = starts[i] + batches[i].remaining();
        }
        bytes = ByteBuffer.allocateDirect(starts[records.length]);
        for (ByteBuffer batch : batches) {
            bytes.put(batch);
        }
        bytes.clear();
    }

    private ByteBuffer batch(Codec codec, int count, Supplier<byte[]> values) {
        Compression compression =
                Compression.of(CompressionType.forName(codec.toString())).build();
        try (MemoryRecordsBuilder builder =
                MemoryRecords.builder(ByteBuffer.allocate(512), compression, TimestampType.CREATE_TIME, 0)) {
            for (int i = 0; i < count; i++) {
                builder.append(timestampMillis, null, values.get());
            }
            return builder.build().buffer();
        }
    }

    private static Supplier<byte[]> random(int recordBytes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] value = new byte[recordBytes];
        return () -> {
            random.nextBytes(value);
            return value;
        };
    }

    /**
     * The largest batch with at most {@code available} records (at least 1). The same arguments always give the same
     * batch.
     */
    int choose(long offset, long available) {
        if (available >= records[0]) {
            return (int) (offset / records[0] % fullBatches);
        }
        // These batches are powers of two in descending order.
        int batch = fullBatches;
        while (records[batch] > available) {
            batch++;
        }
        return batch;
    }

    int records(int batch) {
        return records[batch];
    }

    int bytes(int batch) {
        return starts[batch + 1] - starts[batch];
    }

    /** A view of all batches with a separate position and limit. */
    ByteBuffer view() {
        return bytes.duplicate();
    }

    /** Selects a batch in a view, without its base offset. */
    void show(ByteBuffer view, int batch) {
        view.limit(starts[batch + 1]).position(starts[batch] + BASE_OFFSET_BYTES);
    }
}
