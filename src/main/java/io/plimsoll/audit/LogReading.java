package io.plimsoll.audit;

import io.plimsoll.payload.Identity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Progress of reading a partition: repeated offsets are skipped and gaps recorded. Each call acquires this object's
 * lock; callers hold the lock around calls that must be atomic.
 */
public final class LogReading implements LogSink {
    private static final int BUFFERED_RUNS = 64;
    private static final int NO_PRODUCER = -1;

    private final LogPartition partition;
    private final long from;
    private final long to;
    private final boolean inOrder;
    private final ReadLedger ledger;
    private final OffsetRanges gaps = new OffsetRanges();
    private final IdentityCheck identities;
    private long next;
    private long visible;

    /** Highest sequence of each producer so far, plus 1. In the raw engine, each partition has its own producers. */
    private final Map<Integer, Long> highest = new HashMap<>();

    private final List<ReadLedger.Run> runs = new ArrayList<>(BUFFERED_RUNS);
    private int producer = NO_PRODUCER;
    private long firstSequence;
    private long firstOffset;
    private long count;
    private long millis;

    /** @param from first offset to read */
    public LogReading(LogPartition partition, long from, ReadLedger ledger) {
        this(partition, from, Long.MAX_VALUE, true, ledger);
    }

    private LogReading(LogPartition partition, long from, long to, boolean inOrder, ReadLedger ledger) {
        this.partition = partition;
        this.from = from;
        this.to = to;
        this.inOrder = inOrder;
        this.ledger = ledger;
        this.next = from;
        this.identities = new IdentityCheck(ledger.runId);
    }

    /** Creates a separate reading for one gap of this reading, without a check of the order. */
    public LogReading of(int gap) {
        LogReading reading = new LogReading(partition, gaps.first(gap), gaps.last(gap) + 1, false, ledger);
        reading.highest.putAll(highest);
        return reading;
    }

    public LogPartition partition() {
        return partition;
    }

    public long from() {
        return from;
    }

    /** The next offset to read. All lower offsets were read or recorded as gaps. */
    public synchronized long next() {
        return next;
    }

    /** Skipped offsets below {@link #next}. Call only after reading has ended. */
    public synchronized OffsetRanges gaps() {
        return gaps;
    }

    /** Number of records read, from any producer; filled gaps are included, aborted transactions excluded. */
    public synchronized long visible() {
        return visible;
    }

    /** Adds the records of a gap that another reading filled. */
    public synchronized void filled(LogReading gap) {
        visible += gap.visible();
    }

    @Override
    public synchronized void record(long offset, ByteBuffer bytes, int valueAt, int valueBytes, long epochMillis) {
        if (!advance(offset, offset)) {
            return;
        }
        visible++;
        switch (identities.of(bytes, valueAt, valueBytes)) {
            case INTACT -> ours(offset, identities.producer, identities.sequence, 1, epochMillis);
            case DAMAGED -> note(Verdict.CORRUPTED, offset, 1, epochMillis, true);
            default -> note(Verdict.FOREIGN, offset, 1, epochMillis, false);
        }
    }

    @Override
    public synchronized void records(long offset, int of, long sequence, long records, long epochMillis) {
        long skip = Math.max(0, next - offset);
        if (skip < records && advance(offset + skip, offset + records - 1)) {
            visible += records - skip;
            ours(offset + skip, of, sequence + skip, records - skip, epochMillis);
        }
    }

    @Override
    public synchronized void damaged(long first, long last, long epochMillis) {
        long begin = Math.max(first, next);
        if (advance(begin, last)) {
            note(Verdict.CORRUPTED, begin, last - begin + 1, epochMillis, true);
        }
    }

    @Override
    public synchronized void hidden(long first, long last) {
        long begin = Math.max(first, next);
        advance(begin, last);
    }

    private boolean advance(long first, long last) {
        if (last < next || first < next || first >= to) {
            return false;
        }
        if (first > next) {
            gaps.add(next, first - 1);
        }
        next = last + 1;
        return true;
    }

    /** Reports a new log start offset. Deleted records are not a gap. */
    public synchronized void begin(long offset) {
        next = Math.max(next, Math.min(offset, to));
    }

    /** Reports that no more records exist below this offset; skipped offsets are recorded as a gap. */
    public synchronized void end(long offset) {
        long end = Math.min(offset, to);
        if (end > next) {
            gaps.add(next, end - 1);
            next = end;
        }
    }

    private void note(Verdict verdict, long offset, long records, long epochMillis, boolean violation) {
        ledger.add(new AuditFinding(verdict, RecordRange.inLog(partition, offset, records, epochMillis), violation));
    }

    private void ours(long offset, int by, long sequence, long records, long epochMillis) {
        if (by == producer && sequence == firstSequence + count && offset == firstOffset + count) {
            count += records;
            return;
        }
        endRun();
        if (!ledger.known(by) || sequence < 0 || sequence + records > SequenceSet.LIMIT) {
            note(Verdict.PHANTOM, offset, records, epochMillis, true);
            return;
        }
        producer = by;
        firstSequence = sequence;
        firstOffset = offset;
        count = records;
        millis = epochMillis;
    }

    private void endRun() {
        if (producer == NO_PRODUCER) {
            return;
        }
        long before = highest.getOrDefault(producer, 0L);
        long below = inOrder ? Math.max(0, Math.min(count, before - 1 - firstSequence)) : 0;
        highest.put(producer, Math.max(before, firstSequence + count));
        runs.add(new ReadLedger.Run(
                new RecordRange(partition, firstOffset, producer, firstSequence, count, millis), below));
        producer = NO_PRODUCER;
        if (runs.size() == BUFFERED_RUNS) {
            send();
        }
    }

    private void send() {
        ledger.add(runs);
        runs.clear();
    }

    @Override
    public synchronized long expected(int of) {
        long ended = highest.getOrDefault(of, 0L);
        return of == producer ? Math.max(ended, firstSequence + count) : ended;
    }

    @Override
    public synchronized void flush() {
        endRun();
        send();
    }

    /** Checks the identity in a value. Used by one reading only. */
    private static final class IdentityCheck {
        enum Kind {
            INTACT,
            DAMAGED,
            FOREIGN
        }

        /**
         * Run ids are random: a difference of at most this many bits means a damaged id of this run, not an id of
         * another run.
         */
        private static final int DAMAGED_BITS = 8;

        private final long runId;
        private final CRC32C crc = new CRC32C();
        private int producer;
        private long sequence;
        private @Nullable ByteBuffer lastBytes;
        private @Nullable ByteBuffer view;

        IdentityCheck(long runId) {
            this.runId = runId;
        }

        Kind of(ByteBuffer bytes, int at, int length) {
            if (length < Identity.BYTES) {
                return Kind.FOREIGN;
            }
            long difference = Identity.runId(bytes, at) ^ runId;
            if (difference != 0) {
                return Long.bitCount(difference) <= DAMAGED_BITS ? Kind.DAMAGED : Kind.FOREIGN;
            }
            producer = Identity.producer(bytes, at);
            sequence = Identity.sequence(bytes, at);
            return Identity.isIntact(bytes, at, tail(bytes, at, length)) ? Kind.INTACT : Kind.DAMAGED;
        }

        @SuppressWarnings("ReferenceEquality") // identity comparison intended
        private int tail(ByteBuffer bytes, int at, int length) {
            crc.reset();
            int tailBytes = length - Identity.BYTES;
            if (bytes.hasArray()) {
                crc.update(bytes.array(), bytes.arrayOffset() + at + Identity.BYTES, tailBytes);
                return (int) crc.getValue();
            }
            if (view == null || bytes != lastBytes) {
                lastBytes = bytes;
                view = bytes.duplicate();
            }
            crc.update(view.limit(at + length).position(at + Identity.BYTES));
            return (int) crc.getValue();
        }
    }

    /** Ranges of offsets in ascending order. Not thread-safe. */
    public static final class OffsetRanges {
        private long[] bounds = new long[8];
        private int count;

        /** @param first not below the end of the last range */
        public void add(long first, long last) {
            if (count > 0 && bounds[2 * count - 1] == first - 1) {
                bounds[2 * count - 1] = last;
                return;
            }
            if (2 * count == bounds.length) {
                bounds = Arrays.copyOf(bounds, 4 * count);
            }
            bounds[2 * count] = first;
            bounds[2 * count + 1] = last;
            count++;
        }

        public int count() {
            return count;
        }

        public long first(int index) {
            return bounds[2 * index];
        }

        public long last(int index) {
            return bounds[2 * index + 1];
        }
    }
}
