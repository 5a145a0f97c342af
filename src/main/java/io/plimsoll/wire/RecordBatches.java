package io.plimsoll.wire;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;

/** Record batches as Kafka's own classes make them. */
public final class RecordBatches {
    private RecordBatches() {}

    /**
     * @param timestampMillis of every record
     * @param values each is used up before the next
     * @return a batch with offsets from 0 on and no keys
     */
    public static ByteBuffer of(Codec codec, long timestampMillis, int records, Supplier<byte[]> values) {
        Compression compression =
                Compression.of(CompressionType.forName(codec.toString())).build();
        try (MemoryRecordsBuilder builder =
                MemoryRecords.builder(ByteBuffer.allocate(512), compression, TimestampType.CREATE_TIME, 0)) {
            for (int i = 0; i < records; i++) {
                builder.append(timestampMillis, null, values.get());
            }
            return builder.build().buffer();
        }
    }
}
