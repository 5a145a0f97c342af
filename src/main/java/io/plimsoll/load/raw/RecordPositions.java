package io.plimsoll.load.raw;

import io.plimsoll.wire.BatchLayout;
import io.plimsoll.wire.VarInts;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Ends of a batch's records and starts of their values, in bytes from the batch's start. Batches of equal record
 * sizes share one object. Immutable; the arrays must not be changed.
 * @param payloadBytes key and value bytes up to and including each record
 */
record RecordPositions(int[] ends, int[] values, int[] payloadBytes) {
    int records() {
        return ends.length;
    }

    int endOf(int records) {
        return ends[records - 1];
    }

    int payloadBytes(int records) {
        return payloadBytes[records - 1];
    }

    long memoryBytes() {
        return 3L * Integer.BYTES * ends.length;
    }

    boolean sameAs(@Nullable RecordPositions other) {
        return other != null
                && Arrays.equals(ends, other.ends)
                && Arrays.equals(values, other.values)
                && Arrays.equals(payloadBytes, other.payloadBytes);
    }

    /**
     * Some records of an uncompressed batch as a separate batch, with offset deltas from 0 and space for a header.
     * @param bytes of the batch, up to {@code length}
     */
    record RecordSlice(byte[] bytes, int length, RecordPositions positions) {
        /** Bytes of the attributes and the timestamp delta, both 0. */
        private static final int BEFORE_OFFSET_DELTA = 2;

        static RecordSlice of(ByteBuffer batch, RecordPositions all, int from, int count) {
            int begin = from == 0 ? BatchLayout.RECORDS : all.endOf(from);
            // Offset deltas become smaller, so no record grows.
            byte[] bytes = new byte[BatchLayout.RECORDS + all.endOf(from + count) - begin];
            int[] ends = new int[count];
            int[] values = new int[count];
            int[] payload = new int[count];
            int payloadBefore = from == 0 ? 0 : all.payloadBytes(from);
            int start = begin;
            int at = BatchLayout.RECORDS;
            for (int i = 0; i < count; i++) {
                int end = all.endOf(from + i + 1);
                int rest = behindVarint(batch, behindVarint(batch, start) + BEFORE_OFFSET_DELTA);
                int body = BEFORE_OFFSET_DELTA + VarInts.size(i) + end - rest;
                at = VarInts.write(i, bytes, VarInts.write(body, bytes, at) + BEFORE_OFFSET_DELTA);
                batch.get(rest, bytes, at, end - rest);
                values[i] = at + all.values()[from + i] - rest;
                at += end - rest;
                ends[i] = at;
                payload[i] = all.payloadBytes(from + i + 1) - payloadBefore;
                start = end;
            }
            return new RecordSlice(bytes, at, new RecordPositions(ends, values, payload));
        }

        private static int behindVarint(ByteBuffer batch, int from) {
            int at = from;
            while (batch.get(at) < 0) {
                at++;
            }
            return at + 1;
        }
    }
}
