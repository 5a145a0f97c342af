package io.plimsoll.load.raw;

import static io.plimsoll.wire.VarInts.bytes;
import static io.plimsoll.wire.VarInts.field;
import static io.plimsoll.wire.VarInts.value;

import io.plimsoll.load.EndToEndSource;
import io.plimsoll.payload.Stamp;
import io.plimsoll.wire.BatchLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads fetched batches in place. No record of a damaged batch counts. Compressed batches are not decompressed, so only
 * their header is known. Owned by one thread; retains no buffer.
 */
final class BatchReader {
    interface Sink {
        /**
         * Claims the records of a batch from the fetch offset on; returns how many are accepted, counted from the
         * first.
         */
        int claim(int records);

        /** @param bytes size of keys and values, or of a compressed batch */
        void onRecords(int records, long bytes, boolean compressed);

        /** @param fromEpochNanos start time that the next {@code records} accepted records share */
        void onLatency(long fromEpochNanos, int records);

        /** @param millis append time of the records just accepted, by the broker's clock */
        default void onAppended(long millis, int records) {}

        /**
         * Receives an intact batch before its records are claimed.
         * @param visible false for an aborted transaction
         */
        default void batch(ByteBuffer data, int at, int end, boolean visible) {}

        void damaged(String kind);
    }

    private static final String CORRUPT = "corruptRecord";
    private static final int COMPRESSION = 0x07;
    private static final int LOG_APPEND_TIME = 0x08;
    private static final int TRANSACTIONAL = 0x10;
    private static final int CONTROL = 0x20;
    private static final short ABORT_MARKER = 0;
    private static final int SMALLEST_LENGTH = BatchLayout.RECORDS - BatchLayout.LENGTH_COUNTS_FROM;

    private final boolean checkCrcs;
    private final EndToEndSource source;
    private final CRC32C crc = new CRC32C();
    private final RecordWalk walk;

    /**
     * @param checkCrcs as {@code check.crcs}
     * @param source of the times passed to {@link Sink#onLatency}
     * @param runId of stamped records
     */
    BatchReader(boolean checkCrcs, EndToEndSource source, long runId) {
        this.checkCrcs = checkCrcs;
        this.source = source;
        this.walk = new RecordWalk(source, runId);
    }

    /** The next fetch offset once {@link #read} has read the complete batches between {@code from} and {@code to}. */
    static long nextOffset(ByteBuffer data, int from, int to, long offset) {
        long next = offset;
        for (int at = from; whole(data, at, to); at = end(data, at)) {
            long end = endOffset(data, at);
            if (end <= next) {
                break;
            }
            next = end;
        }
        return next;
    }

    static long endOfBatch(ByteBuffer data, int from, int to, long offset) {
        for (int at = from; whole(data, at, to); at = end(data, at)) {
            if (endOffset(data, at) > offset) {
                return endOffset(data, at);
            }
        }
        return -1;
    }

    /** Whether a complete batch starts here, judging by its length. */
    private static boolean whole(ByteBuffer data, int at, int to) {
        if (to - at < BatchLayout.RECORDS) {
            return false;
        }
        int length = data.getInt(at + BatchLayout.LENGTH);
        return length >= SMALLEST_LENGTH && length <= to - at - BatchLayout.LENGTH_COUNTS_FROM;
    }

    private static int end(ByteBuffer data, int at) {
        return at + BatchLayout.LENGTH_COUNTS_FROM + data.getInt(at + BatchLayout.LENGTH);
    }

    /** Offset after the batch according to its header; negative if invalid. */
    private static long endOffset(ByteBuffer data, int at) {
        long base = data.getLong(at + BatchLayout.BASE_OFFSET);
        int lastDelta = data.getInt(at + BatchLayout.LAST_OFFSET_DELTA);
        if (data.get(at + BatchLayout.MAGIC) != BatchLayout.MAGIC_2) {
            return base + 1;
        }
        return base < 0 || lastDelta < 0 ? Long.MIN_VALUE : base + lastDelta + 1;
    }

    /**
     * Reads the batches between {@code from} and {@code to}; the last batch can be incomplete. At a damaged batch,
     * reports the damage and stops reading.
     * @param offset offset before which records are skipped
     * @param aborted transactions to skip; null to read them
     * @return the next offset: {@link #nextOffset} or, with damage, the offset of the damaged batch
     */
    long read(ByteBuffer data, int from, int to, long offset, @Nullable AbortedTransactions aborted, Sink sink) {
        long next = offset;
        int at = from;
        for (; whole(data, at, to); at = end(data, at)) {
            long end = endOffset(data, at);
            String damage = end <= next ? CORRUPT : readBatch(data, at, next, aborted, sink);
            if (damage != null) {
                sink.damaged(damage);
                return next;
            }
            next = end;
        }
        boolean cut = to - at < BatchLayout.RECORDS
                || data.getInt(at + BatchLayout.LENGTH) > to - at - BatchLayout.LENGTH_COUNTS_FROM;
        if (!cut) {
            sink.damaged(CORRUPT);
        }
        return next;
    }

    private @Nullable String readBatch(
            ByteBuffer data, int at, long from, @Nullable AbortedTransactions aborted, Sink sink) {
        int end = end(data, at);
        if (data.get(at + BatchLayout.MAGIC) != BatchLayout.MAGIC_2) {
            return "unsupportedMessageFormat";
        }
        int count = data.getInt(at + BatchLayout.RECORDS_COUNT);
        int lastDelta = data.getInt(at + BatchLayout.LAST_OFFSET_DELTA);
        boolean intact = !checkCrcs || crc(data, at, end) == data.getInt(at + BatchLayout.CRC);
        if (!intact || count < 0 || count > lastDelta + 1L) {
            return CORRUPT;
        }
        int attributes = data.getShort(at + BatchLayout.ATTRIBUTES);
        long base = data.getLong(at + BatchLayout.BASE_OFFSET);
        boolean skipped = aborted != null && skip(data, at, end, attributes, base + lastDelta, aborted);
        sink.batch(data, at, end, !skipped);
        if (skipped) {
            return null;
        }
        if ((attributes & CONTROL) != 0 || count == 0) {
            return null;
        }
        int skipDeltas = (int) Math.max(0, from - base);
        if ((attributes & COMPRESSION) == 0) {
            return readRecords(data, at, end, count, skipDeltas, attributes, sink) ? null : CORRUPT;
        }
        // The count from the header is exact unless a compacted batch is read from its middle.
        int taken = sink.claim(Math.min(count, lastDelta + 1 - skipDeltas));
        if (taken > 0) {
            sink.onRecords(taken, end - at, true);
            tellAppend(data, at, attributes, taken, sink);
            compressedTimes(data, at, attributes, taken, sink);
        }
        return null;
    }

    private int crc(ByteBuffer data, int at, int end) {
        int position = data.position();
        int limit = data.limit();
        data.limit(end).position(at + BatchLayout.CRC_COUNTS_FROM);
        crc.reset();
        crc.update(data);
        data.limit(limit).position(position);
        return (int) crc.getValue();
    }

    private static boolean skip(
            ByteBuffer data, int at, int end, int attributes, long lastOffset, AbortedTransactions aborted) {
        long producerId = data.getLong(at + BatchLayout.PRODUCER_ID);
        if (producerId == BatchTemplate.NO_PRODUCER) {
            return false;
        }
        boolean open = aborted.contain(producerId, lastOffset);
        if ((attributes & CONTROL) != 0) {
            if (RecordWalk.controlType(data, at + BatchLayout.RECORDS, end) == ABORT_MARKER) {
                aborted.ended(producerId);
            }
            return true;
        }
        return open && (attributes & TRANSACTIONAL) != 0;
    }

    private boolean readRecords(
            ByteBuffer data, int at, int end, int count, int skipDeltas, int attributes, Sink sink) {
        long baseTime = data.getLong(at + BatchLayout.BASE_TIMESTAMP);
        if (!walk.over(data, at + BatchLayout.RECORDS, end, count, skipDeltas, baseTime, Integer.MAX_VALUE)) {
            return false;
        }
        int found = walk.records();
        int taken = found == 0 ? 0 : sink.claim(found);
        if (taken == 0) {
            return true;
        }
        if (taken < found) {
            walk.over(data, at + BatchLayout.RECORDS, end, count, skipDeltas, baseTime, taken);
        }
        sink.onRecords(taken, walk.payloadBytes(), false);
        tellAppend(data, at, attributes, taken, sink);
        if ((attributes & LOG_APPEND_TIME) != 0 && source != EndToEndSource.STAMP) {
            appendTime(data, at, taken, sink);
        } else {
            walk.times(sink);
        }
        return true;
    }

    private static void tellAppend(ByteBuffer data, int at, int attributes, int taken, Sink sink) {
        if ((attributes & LOG_APPEND_TIME) != 0) {
            sink.onAppended(data.getLong(at + BatchLayout.MAX_TIMESTAMP), taken);
        }
    }

    private void appendTime(ByteBuffer data, int at, int taken, Sink sink) {
        if (source != EndToEndSource.NONE) {
            sink.onLatency(data.getLong(at + BatchLayout.MAX_TIMESTAMP) * 1_000_000, taken);
        }
    }

    /** Reads the start time of a compressed batch; the header contains it only if it is the same for all records. */
    private void compressedTimes(ByteBuffer data, int at, int attributes, int taken, Sink sink) {
        boolean same = (attributes & LOG_APPEND_TIME) != 0
                || data.getLong(at + BatchLayout.BASE_TIMESTAMP) == data.getLong(at + BatchLayout.MAX_TIMESTAMP);
        if (same && source != EndToEndSource.STAMP) {
            appendTime(data, at, taken, sink);
        }
    }

    /**
     * The aborted transactions of one fetch response: each covers a producer's batches from its first offset to its
     * abort marker. Owned by one thread.
     */
    static final class AbortedTransactions {
        private record Aborted(long producerId, long firstOffset) {}

        /** Sorted here by first offset, because brokers do not always sort them. */
        private final PriorityQueue<Aborted> ahead =
                new PriorityQueue<>(Comparator.comparingLong(Aborted::firstOffset));

        private final Set<Long> open = new HashSet<>();

        void clear() {
            ahead.clear();
            open.clear();
        }

        void add(long producerId, long firstOffset) {
            ahead.add(new Aborted(producerId, firstOffset));
        }

        boolean contain(long producerId, long lastOffset) {
            while (!ahead.isEmpty() && ahead.peek().firstOffset() <= lastOffset) {
                open.add(ahead.poll().producerId());
            }
            return !open.isEmpty() && open.contains(producerId);
        }

        void ended(long producerId) {
            open.remove(producerId);
        }
    }

    /**
     * Walks the records of an uncompressed batch: sums keys and values, and collects the start time of each record.
     * Owned by one thread.
     */
    static final class RecordWalk {
        private static final int NO_TYPE = -1;
        private static final int SMALLEST_RECORD = 6;

        private final EndToEndSource source;
        private final long runId;
        /** Times in record order, and the number of consecutive records with each time. */
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
         * @param count number of records in the batch
         * @param skipDeltas records with a smaller offset delta are skipped
         * @param limit maximum number of records
         * @return false if the bytes do not contain this number of records; the walk is then invalid
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
                    // The minimum is attributes, two deltas, two lengths and the number of headers.
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
                return value(key) < 2 * Short.BYTES || value(key) > end - at
                        ? NO_TYPE
                        : data.getShort(at + Short.BYTES);
            } catch (IndexOutOfBoundsException e) {
                return NO_TYPE;
            }
        }

        /**
         * The common shape of a batch's records: equal lengths, no key, and a value of equal length at the same
         * position. A record is checked against the shape with two comparisons, without decoding six fields.
         */
        private static final class RecordShape {
            private long mask;
            private long bits;
            private short valueMask;
            private short valueBits;
            private int valueLengthAt;
            private int valueAt;
            private int valueBytes;
            private int totalBytes = Integer.MAX_VALUE;

            void forget() {
                totalBytes = Integer.MAX_VALUE;
            }

            /** Whether a record differs from the shape only in deltas, value and headers. */
            boolean fits(ByteBuffer data, int at, int end) {
                return totalBytes <= end - at
                        && (data.getLong(at) & mask) == bits
                        && (data.getShort(at + valueLengthAt) & valueMask) == valueBits;
            }

            /**
             * Learns the shape from a decoded record without a key, if its fields fit into eight bytes. Offsets count
             * from {@code at}.
             * @param deltasAt start of the timestamp delta
             * @param keyAt of the key length, one byte
             */
            void learn(ByteBuffer data, int at, int deltasAt, int keyAt, int valueOffset, int valueLength, int total) {
                int valueFieldBytes = valueOffset - keyAt - 1;
                if (keyAt >= Long.BYTES || valueFieldBytes > Short.BYTES || total < Long.BYTES + Short.BYTES) {
                    forget();
                    return;
                }
                // Mask: the length and the key length in full, no bits of the attributes, and the widths of the deltas.
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
}
