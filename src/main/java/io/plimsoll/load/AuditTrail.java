package io.plimsoll.load;

import io.plimsoll.audit.Journal;
import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.audit.ReadLedger;
import io.plimsoll.audit.ReadLedger.Registry;
import io.plimsoll.audit.SequenceSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.TopicPartition;

/** The records that an audited trial has sent and read so far. Thread-safe. */
public final class AuditTrail implements Registry {
    /** A Kafka producer in one partition. */
    private record BatchKey(LogPartition partition, long producerId, short epoch) {}

    /** The identity of the first record in the batches of such a producer. */
    public record BatchOrigin(int producer, long sequence) {}

    private final ReadLedger ledger;
    private final Map<Integer, ProducerTrail> producers = new ConcurrentHashMap<>();
    private final List<ProducerTrail> inOrder = new CopyOnWriteArrayList<>();
    private final Map<LogPartition, LogReading> readings = new ConcurrentHashMap<>();
    private final Map<BatchKey, BatchOrigin> origins = new ConcurrentHashMap<>();
    private final Set<Integer> open = ConcurrentHashMap.newKeySet();
    private final RemoteTrails adopted = new RemoteTrails(this);
    private final int first;
    private final boolean reads;

    /** @param runId of the identities */
    public AuditTrail(long runId) {
        this(runId, 0, true);
    }

    private AuditTrail(long runId, int first, boolean reads) {
        this.ledger = new ReadLedger(runId, this);
        this.first = first;
        this.reads = reads;
    }

    /**
     * The trail of one of several workers: keeps the sent records for another worker to compare with the log.
     *
     * @param first number of its first producer among the producers of all workers
     */
    public static AuditTrail ofWorker(long runId, int first) {
        return new AuditTrail(runId, first, false);
    }

    /** Whether consumers may feed it the records they read. */
    public boolean reads() {
        return reads;
    }

    /** The producers of other workers, included in {@link #drain}. */
    public RemoteTrails adopted() {
        return adopted;
    }

    /**
     * Adds a producer, before its first record is sent.
     *
     * @param like common settings of its entry; the ID is assigned
     * @param topics in the order of the topic indexes
     */
    public synchronized ProducerTrail producer(ProducerProfile like, List<String> topics) {
        return add(new ProducerTrail(like.withId(first + inOrder.size()), topics));
    }

    private ProducerTrail add(ProducerTrail trail) {
        producers.put(trail.id(), trail);
        inOrder.add(trail);
        return trail;
    }

    /** Adds a producer of another worker. */
    synchronized void adopt(ProducerProfile profile, List<String> topics) {
        if (profile.id() != inOrder.size()) {
            throw new IllegalArgumentException("producer " + profile.id() + " after " + (inOrder.size() - 1));
        }
        add(new ProducerTrail(profile, topics));
    }

    /** Links the batches of a Kafka producer to one of our producers; call before the first batch is sent. */
    public void batches(ProducerTrail trail, TopicPartition partition, long kafkaId, short epoch, long sequence) {
        LogPartition log = new LogPartition(partition.topic(), partition.partition());
        known(trail.id(), kafkaId, epoch, log, sequence);
        trail.batches(log, kafkaId, epoch, sequence);
    }

    /** Restores {@link #batches} from the journal of an earlier run. */
    public void known(int producer, long kafkaId, short epoch, LogPartition partition, long sequence) {
        origins.put(new BatchKey(partition, kafkaId, epoch), new BatchOrigin(producer, sequence));
    }

    /** Restores {@link ProducerTrail#sent(long)} from the journal of an earlier run. */
    public void sent(int producer, long sequences) {
        producers.get(producer).sent(sequences);
    }

    /** Sets {@link ProducerTrail#sent(long)} as reported by another worker. */
    void sentAtLeast(int producer, long sequences) {
        ProducerTrail trail = producers.get(producer);
        trail.sent(Math.max(trail.sent(), sequences));
    }

    /** Null for batches of other producers. */
    public BatchOrigin origin(LogPartition partition, long kafkaProducerId, short epoch) {
        return origins.isEmpty() ? null : origins.get(new BatchKey(partition, kafkaProducerId, epoch));
    }

    public List<ProducerProfile> profiles() {
        return inOrder.stream().map(ProducerTrail::profile).toList();
    }

    @Override
    public ProducerProfile profile(int producer) {
        ProducerTrail trail = producers.get(producer);
        return trail == null ? null : trail.profile();
    }

    @Override
    public long sent(int producer) {
        return open.contains(producer)
                ? SequenceSet.LIMIT
                : producers.get(producer).sent();
    }

    /** The sequences sent by this producer are unknown, because its worker is gone. */
    void anything(int producer) {
        open.add(producer);
    }

    /** Sets the offsets from which reading counts; call before the first record is sent. */
    public void begin(Map<TopicPartition, Long> ends) {
        ends.forEach(this::reading);
    }

    /** The reading of a partition, created from this offset if missing. */
    public LogReading reading(TopicPartition partition, long from) {
        return readings.computeIfAbsent(
                new LogPartition(partition.topic(), partition.partition()), p -> new LogReading(p, from, ledger));
    }

    /** Null if the partition is not audited. */
    public LogReading reading(TopicPartition partition) {
        return readings.get(new LogPartition(partition.topic(), partition.partition()));
    }

    public ReadLedger ledger() {
        return ledger;
    }

    /** Writes the entries since the last call; one thread at a time. */
    public void drain(Journal journal) {
        adopted.drain(journal);
        for (ProducerTrail trail : inOrder) {
            trail.drain(journal);
        }
    }
}
