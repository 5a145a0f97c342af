package io.plimsoll.load;

import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.wire.Codec;
import io.plimsoll.wire.VarInts;
import java.io.ByteArrayOutputStream;
import java.util.OptionalInt;

/**
 * How many bytes a record takes on the wire, for rates given in wire bytes. From the layout of record batch version 2:
 * a 61-byte header per batch; per record a length, attributes, two deltas, two lengths and a header count, all but the
 * attributes as varints.
 */
public final class WireSize {
    private static final int BATCH_HEADER_BYTES = 61;
    private static final int MOST_SAMPLE_BYTES = 1_000_000;
    private static final long SAMPLE_EPOCH_NANOS = 1_700_000_000_000_000_000L;
    /** Attributes, lengths and the number of headers, which are the same in each record. */
    private static final byte[] FRAMING = new byte[6];

    private WireSize() {}

    /**
     * Mean bytes of a record with compression, from batches of sample records that are compressed: of contents that are
     * made, these compress as those of the run will.
     *
     * @param sample of the records, which this uses up
     * @param batchBytes of a full batch on the wire: {@code batch.size} is about bytes after compression
     * @param level of the codec; empty for its own
     */
    public static double ofCompressedRecord(RecordGenerator sample, int batchBytes, Codec codec, OptionalInt level) {
        int wanted = Math.max(1, batchBytes - BATCH_HEADER_BYTES);
        Batch first = batch(sample, wanted, codec, level);
        // How well a batch compresses depends on its length, which depends on how well it compresses.
        double ratio = (double) first.compressed() / first.plain();
        int longer = (int) Math.min(MOST_SAMPLE_BYTES, wanted / Math.max(ratio, 1e-3));
        Batch second = batch(sample, longer, codec, level);
        return (double) (BATCH_HEADER_BYTES + second.compressed()) / second.records();
    }

    private record Batch(int records, int plain, int compressed) {}

    private static Batch batch(RecordGenerator sample, int plainBytes, Codec codec, OptionalInt level) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream(plainBytes + sample.maxValueBytes());
        int records = 0;
        do {
            byte[] key = sample.nextKey();
            byte[] value = sample.nextValue(records, SAMPLE_EPOCH_NANOS + records);
            plain.write(value.length);
            plain.write(records);
            plain.writeBytes(FRAMING);
            plain.writeBytes(key == null ? new byte[0] : key);
            plain.writeBytes(value);
            for (byte[] header : sample.headerValues()) {
                plain.writeBytes(header);
            }
            records++;
        } while (plain.size() < plainBytes);
        byte[] bytes = plain.toByteArray();
        return new Batch(records, bytes.length, codec.compress(bytes, bytes.length, level).length);
    }

    /**
     * Mean bytes of a record without compression.
     *
     * @param payloadBytes mean key + value bytes
     * @param batchBytes {@code batch.size}
     */
    public static double ofRecord(double payloadBytes, RecordSpec.Headers headers, int batchBytes) {
        double oneHeader = 2 + headers.keyBytes() + headers.valueBytes();
        double body =
                1 + 1 + 2 + 1 + VarInts.size((long) payloadBytes) + payloadBytes + 1 + headers.count() * oneHeader;
        double record = VarInts.size((long) body) + body;
        double perBatch = Math.max(1, Math.floor((batchBytes - BATCH_HEADER_BYTES) / record));
        return record + BATCH_HEADER_BYTES / perBatch;
    }
}
