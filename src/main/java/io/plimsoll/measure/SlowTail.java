package io.plimsoll.measure;

import io.plimsoll.measure.SlowBatch.Stage;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the slowest acknowledged or received batches since the last reading. The client's thread compares each latency
 * with a bound that rises as batches are kept; it acquires the lock only for a slower batch.
 */
public final class SlowTail {
    /** Maximum number of batches per reading. */
    static final int MOST = 32;
    /** Minimum latency of a slow record in ns. */
    static final long LEAST_NANOS = 2_000_000;

    private static final List<Stage> WRITTEN = List.of(Stage.SEND, Stage.BATCH, Stage.RETRY, Stage.REQUEST);
    private static final List<Stage> READ = List.of(Stage.PRODUCE, Stage.POLL, Stage.FETCH, Stage.WORK);

    private static final class Entry {
        private int topic;
        private int partition;
        private int broker;
        private long offset;
        private int records;
        private long dueNanos;
        private long sentNanos;
        private long firstRequestNanos;
        private long requestNanos;
        private long nanos;

        long latency() {
            return nanos - dueNanos;
        }

        boolean isOf(Acknowledgment answer) {
            return nanos == answer.nanos && partition == answer.partition && topic == answer.topic;
        }

        SlowBatch batch(List<Stage> way, String of, IntFunction<String> topics, long startNanos) {
            Map<Stage, Long> stages = new EnumMap<>(Stage.class);
            stages.put(way.get(0), sentNanos - dueNanos);
            if (requestNanos == Acknowledgment.UNKNOWN) {
                stages.put(Stage.ANSWER, nanos - sentNanos);
            } else {
                stages.put(way.get(1), firstRequestNanos - sentNanos);
                stages.put(way.get(2), requestNanos - firstRequestNanos);
                stages.put(way.get(3), nanos - requestNanos);
            }
            stages.values().removeIf(time -> time <= 0);
            String where = topics.apply(topic) + "-" + partition;
            return new SlowBatch(of, where, broker, offset, records, dueNanos - startNanos, stages);
        }
    }

    private final List<Stage> way;
    /** Guarded by this object. */
    private final List<Entry> entries = new ArrayList<>(MOST);

    /** The entry of the latest batch; null after a reading. Changed with this object locked. */
    private volatile @Nullable Entry last;

    private volatile long boundNanos = LEAST_NANOS;

    /** Creates the list for acknowledged batches or, with {@code reads}, for received batches. */
    public SlowTail(boolean reads) {
        way = reads ? READ : WRITTEN;
    }

    /** Whether a record with this latency can be among the slowest. Usable by any thread. */
    public boolean takes(long latencyNanos) {
        return latencyNanos > boundNanos;
    }

    /**
     * Adds records. Consecutive records with the same acknowledgment are one batch. Called by one thread at a time.
     * Further records of a batch are added without the lock, so that a concurrent reading can miss the last of them.
     */
    public void add(Acknowledgment answer, long dueNanos, long sentNanos, int count) {
        Entry entry = last;
        if (entry != null && entry.isOf(answer) && dueNanos >= entry.dueNanos) {
            entry.records += count;
        } else {
            addSlower(answer, dueNanos, sentNanos, count);
        }
    }

    private synchronized void addSlower(Acknowledgment answer, long dueNanos, long sentNanos, int count) {
        Entry entry = last;
        if (entry == null || !entry.isOf(answer)) {
            entry = entries.size() < MOST ? added() : fastest();
            if (entries.size() == MOST && entry.records > 0 && entry.latency() >= answer.nanos - dueNanos) {
                return;
            }
            entry.records = 0;
            entry.offset = answer.offset;
            entry.dueNanos = Long.MAX_VALUE;
        }
        entry.records += count;
        if (dueNanos < entry.dueNanos) {
            entry.dueNanos = dueNanos;
            entry.sentNanos = sentNanos;
        }
        entry.topic = answer.topic;
        entry.partition = answer.partition;
        entry.broker = answer.broker;
        entry.nanos = answer.nanos;
        entry.requestNanos = answer.requestNanos;
        entry.firstRequestNanos = answer.firstRequestNanos;
        last = entry;
        boundNanos = entries.size() < MOST
                ? LEAST_NANOS
                : Math.max(LEAST_NANOS, fastest().latency());
    }

    private Entry added() {
        Entry entry = new Entry();
        entries.add(entry);
        return entry;
    }

    private Entry fastest() {
        Entry fastest = entries.get(0);
        for (Entry entry : entries) {
            fastest = entry.latency() < fastest.latency() ? entry : fastest;
        }
        return fastest;
    }

    /**
     * The slowest batches since the last call. Usable by any thread.
     * @param of entry of the scenario
     * @param topics returns the name of a topic by its index
     */
    public synchronized List<SlowBatch> take(String of, IntFunction<String> topics, long startNanos) {
        List<SlowBatch> taken = entries.stream()
                .map(entry -> entry.batch(way, of, topics, startNanos))
                .toList();
        entries.clear();
        last = null;
        boundNanos = LEAST_NANOS;
        return taken;
    }
}
