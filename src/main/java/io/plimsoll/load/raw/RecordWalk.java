package io.plimsoll.load.raw;

import static io.plimsoll.wire.VarInts.bytes;
import static io.plimsoll.wire.VarInts.field;
import static io.plimsoll.wire.VarInts.value;

import io.plimsoll.load.EndToEndSource;
import io.plimsoll.payload.Stamp;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Walks the records of an uncompressed batch: sums keys and values, and notes the start time of each record. Owned by
 * one thread.
 */
final class RecordWalk {
    private static final int NO_TYPE = -1;
    private static final int SMALLEST_RECORD = 6;

    private final EndToEndSource source;
    private final long runId;
    /** Times in record order, and how many consecutive records have each. */
    private long[] times = new long[64];

    private int[] runs = new int[64];
    private final RecordShape shape = new RecordShape();
    private int lastLength;
    private int runCount;
    private int records;
    private long payloadBytes;

    RecordWalk(EndToEndSource source, long runId) {
        this.source = source;
        this.runId = runId;
    }

    int records() {
        return records;
    }

    long payloadBytes() {
        return payloadBytes;
    }

    /** Reports the times of the last walk. */
    void times(BatchReader.Sink sink) {
        for (int i = 0; i < runCount; i++) {
            sink.onLatency(times[i], runs[i]);
        }
    }

    /**
     * @param end of the batch
     * @param count of its records
     * @param skipDeltas records with a smaller offset delta are skipped
     * @param limit maximum number of records
     * @return false if the bytes are not as many records; then the walk is invalid
     */
    boolean over(ByteBuffer data, int from, int end, int count, int skipDeltas, long baseMillis, int limit) {
        records = 0;
        payloadBytes = 0;
        runCount = 0;
        shape.forget();
        lastLength = -1;
        boolean noTimestamps = source == EndToEndSource.NONE || source == EndToEndSource.STAMP;
        boolean mayGuess = noTimestamps && skipDeltas == 0 && limit == Integer.MAX_VALUE;
        try {
            int at = from;
            for (int i = 0; i < count; i++) {
                if (shape.fits(data, at, end)) {
                    take(data, at + shape.valueAt, shape.valueBytes, shape.valueBytes, 0);
                    at += shape.totalBytes;
                    continue;
                }
                long field = field(data, at);
                int fieldsAt = at + bytes(field);
                // At least attributes, two deltas, two lengths and the number of headers.
                if (value(field) < SMALLEST_RECORD || value(field) > end - fieldsAt) {
                    return false;
                }
                int recordEnd = fieldsAt + (int) value(field);
                if (!record(data, at, fieldsAt, recordEnd, skipDeltas, baseMillis, limit, mayGuess)) {
                    return false;
                }
                at = recordEnd;
            }
            return at == end;
        } catch (IndexOutOfBoundsException e) {
            return false;
        }
    }

    /** @param fieldsAt start of the attributes */
    private boolean record(
            ByteBuffer data,
            int from,
            int fieldsAt,
            int end,
            int skipDeltas,
            long baseMillis,
            int limit,
            boolean mayGuess) {
        int at = fieldsAt + 1;
        long millis = field(data, at);
        at += bytes(millis);
        long offsetDelta = field(data, at);
        at += bytes(offsetDelta);
        int keyAt = at;
        long key = field(data, at);
        at += bytes(key);
        long keyBytes = Math.max(0, value(key));
        if (value(key) < -1 || keyBytes > end - at) {
            return false;
        }
        at += (int) keyBytes;
        long length = field(data, at);
        at += bytes(length);
        long valueBytes = Math.max(0, value(length));
        if (value(length) < -1 || valueBytes > end - at) {
            return false;
        }
        if (value(offsetDelta) >= skipDeltas && records < limit) {
            take(data, at, (int) valueBytes, (int) (keyBytes + valueBytes), baseMillis + value(millis));
        }
        if (mayGuess && keyBytes == 0 && bytes(key) == 1 && end - from == lastLength) {
            shape.learn(data, from, fieldsAt + 1 - from, keyAt - from, at - from, (int) valueBytes, lastLength);
        }
        lastLength = end - from;
        return true;
    }

    private void take(ByteBuffer data, int valueAt, int valueBytes, int bytes, long millis) {
        records++;
        payloadBytes += bytes;
        time(data, valueAt, valueBytes, millis);
    }

    private void time(ByteBuffer data, int valueAt, int valueBytes, long millis) {
        if (source == EndToEndSource.STAMP) {
            if (Stamp.isOurs(data, valueAt, valueBytes, runId)) {
                time(Stamp.intendedEpochNanos(data, valueAt));
            }
        } else if (source != EndToEndSource.NONE) {
            time(millis * 1_000_000);
        }
    }

    private void time(long epochNanos) {
        if (runCount > 0 && times[runCount - 1] == epochNanos) {
            runs[runCount - 1]++;
            return;
        }
        if (runCount == times.length) {
            times = Arrays.copyOf(times, 2 * runCount);
            runs = Arrays.copyOf(runs, 2 * runCount);
        }
        times[runCount] = epochNanos;
        runs[runCount++] = 1;
    }

    /** The type of a control record; −1 if unreadable. */
    static int controlType(ByteBuffer data, int from, int end) {
        try {
            int at = from + bytes(field(data, from)) + 1;
            at += bytes(field(data, at));
            at += bytes(field(data, at));
            long key = field(data, at);
            at += bytes(key);
            return value(key) < 2 * Short.BYTES || value(key) > end - at ? NO_TYPE : data.getShort(at + Short.BYTES);
        } catch (IndexOutOfBoundsException e) {
            return NO_TYPE;
        }
    }

    /**
     * The common shape of a batch's records: equal lengths, no key, and a value of equal length at the same place.
     * Comparing the next record with it takes two comparisons instead of decoding six fields.
     */
    private static final class RecordShape {
        private long mask;
        private long bits;
        private short valueMask;
        private short valueBits;
        private int valueLengthAt;
        /** From the record's start. */
        private int valueAt;

        private int valueBytes;
        /** With the length field. */
        private int totalBytes = Integer.MAX_VALUE;

        void forget() {
            totalBytes = Integer.MAX_VALUE;
        }

        /** True if only deltas, value and headers differ. */
        boolean fits(ByteBuffer data, int at, int end) {
            return totalBytes <= end - at
                    && (data.getLong(at) & mask) == bits
                    && (data.getShort(at + valueLengthAt) & valueMask) == valueBits;
        }

        /**
         * Learns from a decoded record without a key, if its fields fit into eight bytes. Offsets count from {@code
         * at}.
         * @param deltasAt start of the timestamp delta
         * @param keyAt of the key length, one byte
         */
        void learn(ByteBuffer data, int at, int deltasAt, int keyAt, int valueOffset, int valueLength, int total) {
            int valueFieldBytes = valueOffset - keyAt - 1;
            if (keyAt >= Long.BYTES || valueFieldBytes > Short.BYTES || total < Long.BYTES + Short.BYTES) {
                forget();
                return;
            }
            // Length in full, nothing of the attributes, the widths of the deltas, the key's length in full.
            long learned = 0;
            for (int i = 0; i <= keyAt; i++) {
                long ofByte = i < deltasAt - 1 || i == keyAt ? 0xff : i == deltasAt - 1 ? 0 : 0x80;
                learned |= ofByte << (8 * (Long.BYTES - 1 - i));
            }
            mask = learned;
            bits = data.getLong(at) & mask;
            valueLengthAt = keyAt + 1;
            valueMask = (short) (valueFieldBytes == 1 ? 0xff00 : 0xffff);
            valueBits = (short) (data.getShort(at + valueLengthAt) & valueMask);
            valueAt = valueOffset;
            valueBytes = valueLength;
            totalBytes = total;
        }
    }
}
