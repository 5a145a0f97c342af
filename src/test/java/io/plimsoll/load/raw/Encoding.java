package io.plimsoll.load.raw;

import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.wire.Codec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;

/** Templates for tests, and Kafka's own reader of their contents. Deterministic. */
final class Encoding {
    static final long RUN = 0x5eed_0f_1e57L;
    static final long ENCODED_AT = 1_700_000_000_000_000_000L;

    private Encoding() {}

    static RecordSpec record(int size) {
        return record(size, new KeySpec.None(), RecordSpec.Headers.NONE);
    }

    static RecordSpec record(int size, KeySpec key, RecordSpec.Headers headers) {
        return RecordSpec.DEFAULT
                .with(RecordSpec.SIZE, new RecordSpec.Sizes(size))
                .with(RecordSpec.KEY, key)
                .with(RecordSpec.HEADERS, headers);
    }

    /** The same for the same record. */
    static RecordGenerator generator(RecordSpec record) {
        return RecordGenerator.of(record, 7, 0, 1, RUN, PayloadSource.load(record, 7), RecordGenerator.NO_PRODUCER);
    }

    static TemplateRing ring(RecordSpec record, BatchShape shape, long memoryBytes) {
        return ring(generator(record), ENCODED_AT, shape, memoryBytes);
    }

    static TemplateRing ring(RecordGenerator generator, long epochNanos, BatchShape shape, long memoryBytes) {
        return new TemplateRing(generator, generator::nextKey, RUN, epochNanos, shape, memoryBytes);
    }

    /** A shape without compression, with the maximum number of records. */
    static BatchShape plain(int batchBytes) {
        return compressed(Codec.NONE, batchBytes);
    }

    /** A shape with the codec's default level, with the maximum number of records. */
    static BatchShape compressed(Codec codec, int batchBytes) {
        return new BatchShape(codec, OptionalInt.empty(), batchBytes, Integer.MAX_VALUE);
    }

    /** The single batch in these bytes, which must be valid for Kafka's reader. */
    static DefaultRecordBatch batch(ByteBuffer bytes) {
        List<MutableRecordBatch> batches = new ArrayList<>();
        MemoryRecords.readableRecords(bytes.duplicate()).batches().forEach(batches::add);
        if (batches.size() != 1 || batches.get(0).sizeInBytes() != bytes.remaining()) {
            throw new AssertionError(batches.size() + " batches in " + bytes.remaining() + " bytes");
        }
        batches.get(0).ensureValid();
        return (DefaultRecordBatch) batches.get(0);
    }

    static List<Record> records(ByteBuffer bytes) {
        List<Record> records = new ArrayList<>();
        batch(bytes).forEach(record -> {
            record.ensureValid();
            records.add(record);
        });
        return records;
    }

    static byte[] bytes(ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
