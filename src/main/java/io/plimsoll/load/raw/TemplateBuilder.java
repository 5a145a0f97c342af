package io.plimsoll.load.raw;

import io.plimsoll.wire.BatchLayout;
import io.plimsoll.wire.Codec;

/** Encodes, and compresses, the next records of a generator as a template. Owned by one thread. */
final class TemplateBuilder {
    /** Kafka's producer takes compressed records to become so much larger than those before. */
    private static final double COMPRESSION_MARGIN = 1.05;

    /** However well records compress, a batch has no more than this before compression. */
    private static final long MAX_UNCOMPRESSED_BYTES = 1 << 24;

    private static final int ROUNDS = 3;

    private final RecordEncoder encoder;
    private final BatchShape shape;
    private final int fullRecords;
    private long fullBytes;
    /** The size of a full batch, compressed to uncompressed. */
    private double ratio = 1;

    private BatchTemplate last;

    TemplateBuilder(RecordEncoder encoder, BatchShape shape) {
        this.encoder = encoder;
        this.shape = shape;
        encoder.encode(shape.maxRecords(), shape.batchBytes(), cuttable());
        if (!cuttable()) {
            sizeCompressed();
        }
        this.fullRecords = encoder.records();
        this.fullBytes = encoder.length();
    }

    /** Whether the first records of a batch can be sent as a smaller one. */
    boolean cuttable() {
        return shape.codec() == Codec.NONE;
    }

    /** How many records a batch holds; if their sizes differ, one of the possible numbers. */
    int fullRecords() {
        return fullRecords;
    }

    /** Mean of a record in its batch. */
    double recordBytes() {
        return ratio * (fullBytes - BatchLayout.RECORDS) / fullRecords;
    }

    /** About what the next template will take. */
    long expectedBytes(int records) {
        if (cuttable()) {
            return last == null ? fullBytes : last.memoryBytes();
        }
        return (long) Math.ceil(ratio * fullBytes / fullRecords * records) + BatchLayout.RECORDS;
    }

    /** @param records exactly so many if compressed; otherwise as many as fit */
    BatchTemplate build(int records) {
        if (cuttable()) {
            encoder.encode(shape.maxRecords(), shape.batchBytes(), true);
            last = BatchTemplate.plain(encoder, last);
            return last;
        }
        encoder.encode(records, Long.MAX_VALUE, false);
        byte[] batch = encoder.compressed(shape.codec(), shape.level());
        return BatchTemplate.compressed(encoder, shape.codec(), batch);
    }

    /** Finds how many records fit when compressed: what they compress to depends on how many there are. */
    private void sizeCompressed() {
        for (int round = 0; round < ROUNDS; round++) {
            int uncompressed = encoder.length() - BatchLayout.RECORDS;
            ratio = (double) (encoder.compressed(shape.codec(), shape.level()).length - BatchLayout.RECORDS)
                    / uncompressed;
            double room = (shape.batchBytes() - BatchLayout.RECORDS) / (ratio * COMPRESSION_MARGIN);
            long limit = (long) Math.min(room, MAX_UNCOMPRESSED_BYTES) + BatchLayout.RECORDS;
            encoder.encode(shape.maxRecords(), limit, false);
        }
    }
}
