package io.plimsoll.watch;

import io.plimsoll.watch.Attempts.Attempt;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The partitions of a watch: send positions, records in flight, and audits. Thread-safe. */
final class WatchedPartitions {
    /**
     * Maximum number of sequences that an earlier process used after its last save; skipped in case the clock was set
     * back.
     */
    private static final long LEAP = 100_000;

    private final Ledger ledger;
    private final WatchedMoments moments;
    private final UUID watch;
    private final long first;
    private final long process = UUID.randomUUID().getMostSignificantBits();
    private final Map<Integer, Partition> all = new ConcurrentHashMap<>();
    private final AtomicLong foreign = new AtomicLong();
    /** IDs of deleted topics, which a lagging broker can still report. */
    private final Set<String> over = ConcurrentHashMap.newKeySet();

    /** Kafka's id of the audited topic. */
    private volatile @Nullable String topicId;

    record Saved(long next, PartitionAudit.@Nullable Saved audit) {}

    /** A partition. Its audit and next sequence are guarded by its lock. */
    static final class Partition {
        final InFlightReads under;
        long next;
        long dueNanos;
        /** Null until the start position is known. */
        @Nullable
        PartitionAudit audit;

        private Partition(Ledger ledger, long next) {
            under = new InFlightReads(ledger);
            this.next = next;
        }

        synchronized void acknowledged(long offset, long sequence) {
            if (audit != null) {
                audit.acknowledged(offset, sequence);
            }
        }
    }

    /**
     * @param startMillis start in ms since 1970: with at most one record per millisecond, sequences from this number on
     *     exceed all sequences of earlier processes, even without their state
     */
    WatchedPartitions(Ledger ledger, WatchedMoments moments, UUID watch, WatchFiles.Audited earlier, long startMillis) {
        this.ledger = ledger;
        this.moments = moments;
        this.watch = watch;
        first = startMillis;
        topicId = earlier.topicId();
        earlier.partitions().forEach((number, saved) -> {
            Partition partition = new Partition(ledger, Math.max(first, saved.next + LEAP));
            partition.audit = saved.audit == null ? null : new PartitionAudit(saved.audit);
            all.put(number, partition);
        });
    }

    void add(Collection<Integer> numbers) {
        numbers.forEach(n -> all.computeIfAbsent(n, number -> new Partition(ledger, first)));
    }

    Partition get(int number) {
        return Objects.requireNonNull(all.get(number));
    }

    Collection<Partition> all() {
        return all.values();
    }

    WatchRecord next(Partition partition) {
        synchronized (partition) {
            return new WatchRecord(watch, process, partition.next++);
        }
    }

    /** @param nowNanos time of the poll, in nanoTime */
    void take(ConsumerRecord<byte[], byte[]> found, long nowNanos) {
        Partition partition = get(found.partition());
        WatchRecord record = WatchRecord.of(found.value());
        synchronized (partition) {
            PartitionAudit audit = Objects.requireNonNull(partition.audit, "read from a known start");
            if (record == null || !record.watch().equals(watch)) {
                foreign.incrementAndGet();
                audit.reached(found.offset() + 1);
                return;
            }
            audit.read(found.offset(), record.sequence());
            if (record.process() == process) {
                InFlightReads.Sent sent = partition.under.read(record.sequence());
                if (sent != null) {
                    moments.read(
                            found.partition(), sent.broker, found.offset(), sent.dueNanos, sent.ackedNanos, nowNanos);
                }
            }
        }
    }

    @Nullable
    String topicId() {
        return topicId;
    }

    boolean isOver(@Nullable String id) {
        return id != null && over.contains(id);
    }

    /**
     * Audits this topic from now on, and a new topic from its start. Called by the reading thread, which must have
     * audited all records of the old topic.
     * @return whether the topic changed
     */
    boolean follow(@Nullable String id) {
        if (id == null || id.equals(topicId)) {
            return false;
        }
        boolean other = topicId != null;
        if (other) {
            over.add(topicId);
            for (Partition partition : all.values()) {
                synchronized (partition) {
                    partition.audit = partition.audit == null ? null : partition.audit.restarted(partition.next);
                }
            }
        }
        topicId = id;
        return other;
    }

    /** Missing records per partition, as in {@link PartitionAudit#missing}. */
    Map<Integer, Long> missing() {
        Map<Integer, Long> missing = new TreeMap<>();
        all.forEach((number, partition) -> {
            synchronized (partition) {
                if (partition.audit != null && partition.audit.missing() > 0) {
                    missing.put(number, partition.audit.missing());
                }
            }
        });
        return missing;
    }

    /** @param missing missing records by partition, counted before the topic was confirmed to be the audited topic */
    void judge(Map<Integer, Long> missing) {
        missing.forEach((number, count) -> {
            Partition partition = get(number);
            synchronized (partition) {
                PartitionAudit audit = Objects.requireNonNull(partition.audit);
                audit.judge(Math.min(count, audit.missing()));
            }
        });
    }

    WatchStatus.Audit audit() {
        PartitionAudit.Counts sum = PartitionAudit.Counts.NONE;
        long waiting = 0;
        for (Partition partition : all.values()) {
            synchronized (partition) {
                if (partition.audit != null) {
                    sum = sum.plus(partition.audit.counts());
                    waiting += partition.audit.waiting();
                }
            }
        }
        return new WatchStatus.Audit(
                sum.acknowledged(),
                sum.confirmed(),
                waiting,
                sum.lost(),
                sum.duplicated(),
                sum.disordered(),
                sum.unknown(),
                foreign.get(),
                sum.lostAfterRead());
    }

    Map<Integer, Saved> save() {
        return all.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        e -> {
                            synchronized (e.getValue()) {
                                PartitionAudit audit = e.getValue().audit;
                                return new Saved(e.getValue().next, audit == null ? null : audit.save());
                            }
                        },
                        (a, b) -> a,
                        TreeMap::new));
    }

    /** The header of the value of a watch record: four numbers of eight bytes, followed by zeros. */
    record WatchRecord(UUID watch, long process, long sequence) {
        byte[] value(int bytes) {
            return ByteBuffer.allocate(bytes)
                    .putLong(watch.getMostSignificantBits())
                    .putLong(watch.getLeastSignificantBits())
                    .putLong(process)
                    .putLong(sequence)
                    .array();
        }

        /** @return null if the value is too short */
        static @Nullable WatchRecord of(byte @Nullable [] value) {
            if (value == null || value.length < WatchSettings.LEAST_BYTES) {
                return null;
            }
            ByteBuffer numbers = ByteBuffer.wrap(value);
            return new WatchRecord(
                    new UUID(numbers.getLong(), numbers.getLong()), numbers.getLong(), numbers.getLong());
        }
    }

    /** Records of one partition waiting to be read, by sequence, with their end-to-end attempts. Thread-safe. */
    static final class InFlightReads {
        /** Unacknowledged records fail earlier; acknowledged records that are not read within this time count as failed. */
        static final Duration LONGEST = WatchedLog.DELIVERY_LIMIT.plusSeconds(15);

        private final Ledger ledger;
        private final Map<Long, Sent> records = new ConcurrentHashMap<>();
        private volatile int newestBroker;

        /**
         * @param nanos send time, even for records outside the statistics
         * @param dueNanos due time in nanoTime
         * @param ackedNanos acknowledgment time in nanoTime; {@link Long#MAX_VALUE} before the acknowledgment
         */
        record Sent(Attempt attempt, int broker, long nanos, long dueNanos, long ackedNanos) {}

        InFlightReads(Ledger ledger) {
            this.ledger = ledger;
        }

        /** @param counted whether the record belongs to the statistics */
        void begin(long sequence, int broker, boolean counted) {
            newestBroker = broker;
            Attempt attempt = counted ? ledger.begin(Signal.END_TO_END, broker) : Attempt.NONE;
            records.put(sequence, new Sent(attempt, broker, ledger.runningNanos(), 0, Long.MAX_VALUE));
        }

        void acknowledged(long sequence, long dueNanos, long ackedNanos) {
            records.computeIfPresent(
                    sequence, (s, sent) -> new Sent(sent.attempt, sent.broker, sent.nanos, dueNanos, ackedNanos));
        }

        @Nullable
        Sent read(long sequence) {
            Sent sent = records.remove(sequence);
            if (sent != null) {
                ledger.end(Signal.END_TO_END, sent.broker, sent.attempt, true);
            }
            return sent;
        }

        /** Removes an unacknowledged record and counts it as failed. */
        void fail(long sequence) {
            Sent sent = records.remove(sequence);
            if (sent != null) {
                ledger.fail(Signal.END_TO_END, sent.broker, sent.attempt);
            }
        }

        /** Counts records that have been in flight for too long as failed, even if they are read later. */
        void expire() {
            long oldest = ledger.runningNanos() - LONGEST.toNanos();
            records.forEach((sequence, sent) -> {
                if (sent.nanos < oldest && records.remove(sequence, sent)) {
                    ledger.end(Signal.END_TO_END, sent.broker, sent.attempt, false);
                }
            });
        }

        void tell(String error) {
            if (!isEmpty()) {
                ledger.tell(Signal.END_TO_END, newestBroker, error);
            }
        }

        boolean isEmpty() {
            return records.isEmpty();
        }
    }
}
