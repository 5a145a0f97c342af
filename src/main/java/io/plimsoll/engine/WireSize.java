package io.plimsoll.engine;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.RecordSpec;

/**
 * How many bytes a record takes on the wire, for rates given in wire bytes. From the layout of record batch version 2:
 * a 61-byte header per batch; per record a length, attributes, two deltas, two lengths and a header count, all but the
 * attributes as varints.
 */
public final class WireSize {
    private static final int BATCH_HEADER_BYTES = 61;

    private WireSize() {}

    /**
     * @param payloadBytes mean key + value bytes
     * @param batchBytes {@code batch.size}
     * @param compression {@code compression.type}; anything but {@code none} makes the size unknowable beforehand
     * @throws PlimsollException {@link Exit#USAGE} with compression
     */
    public static double ofRecord(
            double payloadBytes, RecordSpec.Headers headers, int batchBytes, String compression, String part) {
        if (!compression.equals("none")) {
            throw new PlimsollException(
                    Exit.USAGE,
                    part + ".rate: a rate in wire bytes cannot be kept with compression.type " + compression
                            + ", whose ratio is known only afterwards; give the rate in payload bytes (20MB/s) or"
                            + " records (5000/s).");
        }
        double oneHeader = 2 + headers.keyBytes() + headers.valueBytes();
        double body = 1 + 1 + 2 + 1 + varint(payloadBytes) + payloadBytes + 1 + headers.count() * oneHeader;
        double record = varint(body) + body;
        double perBatch = Math.max(1, Math.floor((batchBytes - BATCH_HEADER_BYTES) / record));
        return record + BATCH_HEADER_BYTES / perBatch;
    }

    /** Length of a zigzag varint. */
    private static int varint(double value) {
        int bytes = 1;
        for (long rest = (long) value * 2; rest >= 128; rest >>>= 7) {
            bytes++;
        }
        return bytes;
    }
}
