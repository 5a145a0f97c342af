package io.plimsoll.engine.raw;

import io.plimsoll.engine.EndToEndSource;
import io.plimsoll.payload.Stamp;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Goes over the records of an uncompressed batch: adds up keys and values, and notes since when each record is on its
 * way. Owned by one thread.
 */
final class RecordWalk {
    private static final int NO_TYPE = -1;

    private final EndToEndSource source;
    private final long runId;
    /** Times in the order of the records, and how many records in a row have each. */
    private long[] times = new long[64];

    private int[] runs = new int[64];
    private int runCount;
    private int records;
    private long payloadBytes;
    /** Set by {@link #field} and its like. */
    private int at;

    RecordWalk(EndToEndSource source, long runId) {
        this.source = source;
        this.runId = runId;
    }

    /** Records that the last walk took. */
    int records() {
        return records;
    }

    /** Bytes of their keys and values. */
    long payloadBytes() {
        return payloadBytes;
    }

    /** Tells the times of the records that the last walk took. */
    void times(BatchReader.Sink sink) {
        for (int i = 0; i < runCount; i++) {
            sink.onTheirWay(times[i], runs[i]);
        }
    }

    /**
     * @param from where the first record begins
     * @param end of the batch
     * @param count of its records
     * @param skipDeltas records with a smaller offset delta are not taken
     * @param baseMillis the batch's base timestamp
     * @param limit takes so many at most
     * @return false if these bytes are not so many records; then nothing may be taken from this walk
     */
    boolean over(ByteBuffer data, int from, int end, int count, int skipDeltas, long baseMillis, int limit) {
        records = 0;
        payloadBytes = 0;
        runCount = 0;
        at = from;
        try {
            for (int i = 0; i < count; i++) {
                int length = field(data);
                int recordEnd = at + length;
                // At least attributes, two deltas, two lengths and the number of headers.
                if (length < 6 || length > end - at) {
                    return false;
                }
                at++;
                long millis = longField(data);
                int offsetDelta = field(data);
                int payload = skipBytes(data, recordEnd);
                int valueLength = field(data);
                if (payload < 0 || valueLength < -1 || valueLength > recordEnd - at) {
                    return false;
                }
                if (offsetDelta >= skipDeltas && records < limit) {
                    records++;
                    payloadBytes += payload + Math.max(0, valueLength);
                    time(data, valueLength, baseMillis + millis);
                }
                at = recordEnd;
            }
            return at == end;
        } catch (IndexOutOfBoundsException e) {
            return false;
        }
    }

    /** Skips a key. @return its bytes; negative if it does not fit */
    private int skipBytes(ByteBuffer data, int recordEnd) {
        int length = field(data);
        if (length < -1 || length > recordEnd - at) {
            return -1;
        }
        int bytes = Math.max(0, length);
        at += bytes;
        return bytes;
    }

    private void time(ByteBuffer data, int valueLength, long millis) {
        if (source == EndToEndSource.STAMP) {
            if (Stamp.isOurs(data, at, valueLength, runId)) {
                time(Stamp.intendedEpochNanos(data, at));
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

    /** Reads a zigzag varint of up to 32 bits at {@link #at} and goes behind it. */
    private int field(ByteBuffer data) {
        int b = data.get(at++);
        if (b >= 0) {
            return b >>> 1 ^ -(b & 1);
        }
        return (int) longer(data, b, 35);
    }

    private long longField(ByteBuffer data) {
        int b = data.get(at++);
        if (b >= 0) {
            return b >>> 1 ^ -(b & 1);
        }
        return longer(data, b, 70);
    }

    private long longer(ByteBuffer data, int first, int maxBits) {
        long value = first & 0x7f;
        for (int shift = 7; shift < maxBits; shift += 7) {
            int b = data.get(at++);
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        throw new IndexOutOfBoundsException("a variable-length integer does not end");
    }

    /**
     * The type of the control record at {@code from}.
     *
     * @return −1 if it cannot be read
     */
    int controlType(ByteBuffer data, int from, int end) {
        at = from;
        try {
            field(data);
            at++;
            longField(data);
            field(data);
            int keyLength = field(data);
            return keyLength < 2 * Short.BYTES || keyLength > end - at ? NO_TYPE : data.getShort(at + Short.BYTES);
        } catch (IndexOutOfBoundsException e) {
            return NO_TYPE;
        }
    }
}
