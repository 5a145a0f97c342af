package io.plimsoll.load.raw;

import io.plimsoll.load.EndToEndSource;
import io.plimsoll.wire.BatchLayout;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads fetched batches where they lie. A batch counts as a whole or not at all. Of uncompressed batches every record is looked at; compressed ones stay as they are, so that of those only the header
 * is known. Owned by one thread; keeps nothing of the buffers.
 */
final class BatchReader {
    /** Takes what was read, batch after batch. */
    interface Sink {
        /**
         * @param records that a batch holds from the fetch offset on
         * @return how many of them, the first ones, are wanted
         */
        int claim(int records);

        /** @param bytes keys and values; of a compressed batch its size */
        void onRecords(int records, long bytes, boolean compressed);

        /** @param fromEpochNanos since when so many of the records taken last were on their way */
        void onLatency(long fromEpochNanos, int records);

        /** @param millis since 1970 by the clock of the broker that has appended the records taken last */
        default void onAppended(long millis, int records) {}

        /**
         * An intact batch, whatever is in it, before it is claimed.
         *
         * @param visible false if it is of an aborted transaction
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
     * @param source of the times given to {@link Sink#onLatency}
     * @param runId tells records of this run, if they are stamped
     */
    BatchReader(boolean checkCrcs, EndToEndSource source, long runId) {
        this.checkCrcs = checkCrcs;
        this.source = source;
        this.walk = new RecordWalk(source, runId);
    }

    /**
     * Where fetching goes on behind the whole batches that begin at {@code from}: what {@link #read} will have read.
     *
     * @param to end of the fetched data
     * @param offset from which on was fetched
     */
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

    /** Where the whole batch that holds this offset ends, as an offset; −1 if there is none. */
    static long endOfBatch(ByteBuffer data, int from, int to, long offset) {
        for (int at = from; whole(data, at, to); at = end(data, at)) {
            if (endOffset(data, at) > offset) {
                return endOffset(data, at);
            }
        }
        return -1;
    }

    /** True if a batch that can be skipped begins here and ends before the data does. */
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

    /** Offset behind the batch, as its header has it; negative if it cannot be. */
    private static long endOffset(ByteBuffer data, int at) {
        long base = data.getLong(at + BatchLayout.BASE_OFFSET);
        int lastDelta = data.getInt(at + BatchLayout.LAST_OFFSET_DELTA);
        if (data.get(at + BatchLayout.MAGIC) != BatchLayout.MAGIC_2) {
            return base + 1;
        }
        return base < 0 || lastDelta < 0 ? Long.MIN_VALUE : base + lastDelta + 1;
    }

    /**
     * Reads the batches in {@code data} between {@code from} and {@code to}, of which the last may be cut. What is
     * damaged is told, and neither it nor what comes behind it is read.
     *
     * @param offset records before it are skipped
     * @param aborted transactions whose batches are skipped; null to read them as well
     * @return where reading goes on: {@link #nextOffset} or, with damage, the offset where that begins
     */
    long read(ByteBuffer data, int from, int to, long offset, AbortedTransactions aborted, Sink sink) {
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

    /** @return what is wrong with the batch; null if it is intact */
    private String readBatch(ByteBuffer data, int at, long from, AbortedTransactions aborted, Sink sink) {
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
        // Without looking inside: exact unless a compacted batch is read from its middle.
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

    /** @return false if they are damaged */
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

    /** The records' own times lie inside, unless all have the same. */
    private void compressedTimes(ByteBuffer data, int at, int attributes, int taken, Sink sink) {
        boolean same = (attributes & LOG_APPEND_TIME) != 0
                || data.getLong(at + BatchLayout.BASE_TIMESTAMP) == data.getLong(at + BatchLayout.MAX_TIMESTAMP);
        if (same && source != EndToEndSource.STAMP) {
            appendTime(data, at, taken, sink);
        }
    }
}
