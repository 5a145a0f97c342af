package io.plimsoll.watch;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The partitions that a watch writes to and reads: where sending has come to, what is under way, and what the audit found. Any thread. */
final class WatchedPartitions {
    /** Where the clock was set back, sequences may still have gone on for so many after they were saved. */
    private static final long LEAP = 100_000;

    private final Ledger ledger;
    private final UUID watch;
    private final long first;
    private final long process = UUID.randomUUID().getMostSignificantBits();
    private final Map<Integer, Partition> all = new ConcurrentHashMap<>();
    private final AtomicLong foreign = new AtomicLong();
    /** Topics that are no more: a broker that lags behind may still tell of one. */
    private final Set<String> over = ConcurrentHashMap.newKeySet();

    /** Of the topic whose log is audited, as Kafka names it; null as long as that is not known. */
    private volatile String topicId;

    /**
     * What is kept of a partition between two processes.
     *
     * @param next sequence to be sent
     */
    record Saved(long next, PartitionAudit.Saved audit) {}

    /** A partition: its audit is used under its lock. */
    static final class Partition {
        final InFlightReads under;
        long next;
        long dueNanos;
        /** Null until it is known where reading begins. */
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
     * @param watch whose records these are, the same after each restart
     * @param earlier what an earlier process has kept
     * @param startMillis since 1970: no more than a record a millisecond is sent, so that sequences from here on are higher than those
     *     of every earlier process, whatever it has kept
     */
    WatchedPartitions(Ledger ledger, UUID watch, WatchFiles.Audited earlier, long startMillis) {
        this.ledger = ledger;
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
        return all.get(number);
    }

    Collection<Partition> all() {
        return all.values();
    }

    /** The next record to a partition. */
    WatchRecord next(Partition partition) {
        return new WatchRecord(watch, process, partition.next++);
    }

    /** A record of a partition has been read. */
    void take(ConsumerRecord<byte[], byte[]> found) {
        Partition partition = all.get(found.partition());
        WatchRecord record = WatchRecord.of(found.value());
        synchronized (partition) {
            if (record == null || !record.watch().equals(watch)) {
                foreign.incrementAndGet();
                partition.audit.reached(found.offset() + 1);
                return;
            }
            partition.audit.read(found.offset(), record.sequence());
            if (record.process() == process) {
                partition.under.read(record.sequence());
            }
        }
    }

    /** Of the topic whose log is audited; null as long as that is not known. */
    String topicId() {
        return topicId;
    }

    /** Whether a topic has been seen to be replaced by another one. */
    boolean isOver(String id) {
        return id != null && over.contains(id);
    }

    /**
     * Audits the log of this topic from now on, from its begin where it is another one. Called by the thread that reads, which must
     * not have anything in hand of the old one.
     *
     * @param id null where it is not known
     * @return whether it is another one
     */
    boolean follow(String id) {
        if (id == null || id.equals(topicId)) {
            return false;
        }
        boolean other = topicId != null;
        if (other) {
            over.add(topicId);
            for (Partition partition : all.values()) {
                synchronized (partition) {
                    partition.audit = partition.audit == null ? null : partition.audit.anew();
                }
            }
        }
        topicId = id;
        return other;
    }

    /** How many records of each partition are missing, as {@link PartitionAudit#missing} says. */
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

    /**
     * Counts what is missing as lost.
     *
     * @param missing as it was before the topic was seen to be the one that is audited
     */
    void judge(Map<Integer, Long> missing) {
        missing.forEach((number, count) -> {
            Partition partition = all.get(number);
            synchronized (partition) {
                partition.audit.judge(Math.min(count, partition.audit.missing()));
            }
        });
    }

    /** What has been found so far. */
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

    /** To go on with later. */
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
}
