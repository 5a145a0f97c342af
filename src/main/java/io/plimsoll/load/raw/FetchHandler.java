package io.plimsoll.load.raw;

import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.ReadWindow;
import io.plimsoll.load.Waiter;
import io.plimsoll.load.Work;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.wire.FetchFrame;
import java.nio.ByteBuffer;

/** Counts what a reading thread fetches. Owned by that thread. */
final class FetchHandler implements BatchReader.Sink {
    /** Data that was damaged on the way comes whole the next time. */
    private static final int DAMAGED_ATTEMPTS = 3;

    private final BatchReader reader;
    private final EndToEndSource source;
    final GroupState group;
    final ReadWindow window;
    final ReceiveMeter meter;
    private final AbortedTransactions aborted;
    private final Runnable compressedSeen;
    private boolean compressed;
    /** Null if nothing is done with records. */
    private Work work;

    private Waiter waiter;
    private ReadPartition current;
    private long nowNanos;
    private int records;
    private long bytes;

    /**
     * @param readCommitted records of aborted transactions do not count
     * @param compressedSeen called once if batches are compressed
     */
    FetchHandler(
            BatchReader reader,
            EndToEndSource source,
            boolean readCommitted,
            GroupState group,
            ReadWindow window,
            ReceiveMeter meter,
            Runnable compressedSeen) {
        this.reader = reader;
        this.source = source;
        this.aborted = readCommitted ? new AbortedTransactions() : null;
        this.group = group;
        this.window = window;
        this.meter = meter;
        this.compressedSeen = compressedSeen;
    }

    /** Works on the records of each batch before they count. */
    void work(Work done, Waiter time) {
        work = done;
        waiter = time;
    }

    /**
     * Reads a response whose positions have moved on already; those of damaged data are moved back.
     *
     * @return false if there were such
     */
    boolean take(FetchFrame frame) {
        boolean intact = true;
        nowNanos = frame.receivedNanos();
        int all = 0;
        long allBytes = 0;
        for (int i = 0; i < frame.count(); i++) {
            if (frame.dataEnd(i) == frame.dataAt(i)) {
                continue;
            }
            records = 0;
            bytes = 0;
            collectAborted(frame, i);
            ReadPartition partition = (ReadPartition) frame.partition(i);
            current = partition;
            long next = reader.read(frame.data(), frame.dataAt(i), frame.dataEnd(i), frame.offset(i), aborted, this);
            if (partition.sink != null) {
                partition.sink.flush();
                next = passDamage(frame, i, partition, next);
            }
            group.readsFrom(partition.name, next, nowNanos);
            group.consumed(partition.name, records, next);
            if (next != partition.offset) {
                partition.offset = next;
                intact = false;
            }
            all += records;
            allBytes += bytes;
        }
        if (all > 0 && work == null) {
            received(all, allBytes);
        }
        return intact;
    }

    private void received(int count, long payloadBytes) {
        meter.received(count, payloadBytes, window.measured(nowNanos), window.inWindow(nowNanos), nowNanos);
    }

    /** An audit wants to know what lies behind a batch that stays damaged. */
    private static long passDamage(FetchFrame frame, int index, ReadPartition partition, long next) {
        if (next == partition.offset) {
            partition.damages = 0;
            return next;
        }
        long end = BatchReader.endOfBatch(frame.data(), frame.dataAt(index), frame.dataEnd(index), next);
        if (++partition.damages < DAMAGED_ATTEMPTS || end < 0) {
            return next;
        }
        partition.damages = 0;
        partition.sink.damaged(next, end - 1, -1);
        return end;
    }

    @Override
    public void batch(ByteBuffer data, int at, int end, boolean visible) {
        if (current.sink != null) {
            current.examiner.examine(current.log, current.sink, data, at, end, visible);
        }
    }

    private void collectAborted(FetchFrame frame, int index) {
        if (aborted != null) {
            aborted.clear();
            for (int t = 0; t < frame.abortedCount(index); t++) {
                aborted.add(frame.abortedProducerId(index, t), frame.abortedFirstOffset(index, t));
            }
        }
    }

    @Override
    public int claim(int count) {
        if (work == null) {
            return group.claim(count, nowNanos);
        }
        work.begin(count);
        int done = 0;
        while (done < count && work.next()) {
            done++;
            if (work.failed()) {
                meter.count("workFailures", 1);
            }
        }
        nowNanos = waiter.nanoTime();
        return group.claim(done, nowNanos);
    }

    @Override
    public void onRecords(int count, long size, boolean isCompressed) {
        records += count;
        bytes += size;
        if (work != null) {
            received(count, size);
        }
        if (isCompressed && !compressed) {
            compressed = true;
            compressedSeen.run();
        }
    }

    @Override
    public void onLatency(long fromEpochNanos, int count) {
        meter.endToEnd(window.clock(), fromEpochNanos, source != EndToEndSource.STAMP, nowNanos, count);
    }

    @Override
    public void onAppended(long millis, int count) {
        meter.fromAppend(window.clock(), millis, nowNanos, count);
    }

    @Override
    public void damaged(String kind) {
        meter.failed(kind);
    }
}
