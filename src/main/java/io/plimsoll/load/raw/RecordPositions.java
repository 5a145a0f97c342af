package io.plimsoll.load.raw;

import java.util.Arrays;

/**
 * Where the records of a batch end and their values begin, in bytes from the start of the batch. Batches of records of
 * one size have the same, and share one object. Immutable.
 */
final class RecordPositions {
    private final int[] ends;
    private final int[] values;
    private final int[] payloadBytes;

    /** @param payloadBytes key and value bytes of the records up to and including each */
    RecordPositions(int[] ends, int[] values, int[] payloadBytes) {
        this.ends = ends;
        this.values = values;
        this.payloadBytes = payloadBytes;
    }

    int records() {
        return ends.length;
    }

    /** Bytes of a batch with the first {@code records} records. */
    int endOf(int records) {
        return ends[records - 1];
    }

    /** Key and value bytes of the first {@code records} records. */
    int payloadBytes(int records) {
        return payloadBytes[records - 1];
    }

    /** Where each record's value begins; not to be changed. */
    int[] values() {
        return values;
    }

    long memoryBytes() {
        return 3L * Integer.BYTES * ends.length;
    }

    boolean sameAs(RecordPositions other) {
        return other != null
                && Arrays.equals(ends, other.ends)
                && Arrays.equals(values, other.values)
                && Arrays.equals(payloadBytes, other.payloadBytes);
    }
}
