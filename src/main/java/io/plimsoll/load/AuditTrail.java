package io.plimsoll.load;

import io.plimsoll.audit.Journal;
import io.plimsoll.audit.JournalReader;
import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.audit.ReadLedger;
import io.plimsoll.audit.ReadLedger.Registry;
import io.plimsoll.audit.SequenceSet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The records that an audited trial has sent and read so far. Thread-safe. */
public final class AuditTrail implements Registry {
    private record BatchKey(LogPartition partition, long producerId, short epoch) {}

    /**
     * The producer of this trail that wrote a Kafka producer's batches, and the sequence of the first record in them.
     */
    public record BatchOrigin(int producer, long sequence) {}

    private final ReadLedger ledger;
    private final Map<Integer, ProducerTrail> producers = new ConcurrentHashMap<>();
    private final List<ProducerTrail> inOrder = new CopyOnWriteArrayList<>();
    private final Map<LogPartition, LogReading> readings = new ConcurrentHashMap<>();
    private final Map<BatchKey, BatchOrigin> origins = new ConcurrentHashMap<>();
    private final Set<Integer> open = ConcurrentHashMap.newKeySet();
    private final RemoteTrails adopted = new RemoteTrails();
    private final int first;
    private final boolean reads;

    public AuditTrail(long runId) {
        this(runId, 0, true);
    }

    private AuditTrail(long runId, int first, boolean reads) {
        this.ledger = new ReadLedger(runId, this);
        this.first = first;
        this.reads = reads;
    }

    /**
     * Creates the trail of one of several workers. It keeps the sent records until another worker compares them with
     * the log.
     * @param first number of the worker's first producer among all workers
     */
    public static AuditTrail ofWorker(long runId, int first) {
        return new AuditTrail(runId, first, false);
    }

    /** Whether consumers may report records to this trail. */
    public boolean reads() {
        return reads;
    }

    /** The producers of other workers, included in {@link #drain}. */
    public RemoteTrails adopted() {
        return adopted;
    }

    /**
     * Adds a producer before its first record.
     * @param like profile with the entry's common settings; its ID is replaced
     * @param topics by topic index
     */
    public synchronized ProducerTrail producer(ProducerProfile like, List<String> topics) {
        return add(new ProducerTrail(like.withId(first + inOrder.size()), topics));
    }

    private ProducerTrail add(ProducerTrail trail) {
        producers.put(trail.id(), trail);
        inOrder.add(trail);
        return trail;
    }

    /** Links the batches of a Kafka producer to a producer of this trail. Call before the first batch is sent. */
    public void batches(ProducerTrail trail, TopicPartition partition, long kafkaId, short epoch, long sequence) {
        LogPartition log = new LogPartition(partition.topic(), partition.partition());
        known(trail.id(), kafkaId, epoch, log, sequence);
        trail.batches(log, kafkaId, epoch, sequence);
    }

    /** Restores a link made by {@link #batches}, from the journal of an earlier run. */
    public void known(int producer, long kafkaId, short epoch, LogPartition partition, long sequence) {
        origins.put(new BatchKey(partition, kafkaId, epoch), new BatchOrigin(producer, sequence));
    }

    /**
     * Restores the number of sent records, see {@link ProducerTrail#sent(long)}, from the journal of an earlier run.
     */
    public void sent(int producer, long sequences) {
        known(producer).sent(sequences);
    }

    private ProducerTrail known(int producer) {
        ProducerTrail trail = producers.get(producer);
        if (trail == null) {
            throw new IllegalArgumentException("no producer " + producer);
        }
        return trail;
    }

    /** The origin of a batch; null for producers that are not in this trail. */
    public @Nullable BatchOrigin origin(LogPartition partition, long kafkaProducerId, short epoch) {
        return origins.isEmpty() ? null : origins.get(new BatchKey(partition, kafkaProducerId, epoch));
    }

    public List<ProducerProfile> profiles() {
        return inOrder.stream().map(ProducerTrail::profile).toList();
    }

    @Override
    public @Nullable ProducerProfile profile(int producer) {
        ProducerTrail trail = producers.get(producer);
        return trail == null ? null : trail.profile();
    }

    @Override
    public long sent(int producer) {
        return open.contains(producer) ? SequenceSet.LIMIT : known(producer).sent();
    }

    /** Sets the offsets at which reading begins; call before the first record. */
    public void begin(Map<TopicPartition, Long> ends) {
        ends.forEach(this::reading);
    }

    /** The reading of a partition; if missing, it is created to begin at this offset. */
    public LogReading reading(TopicPartition partition, long from) {
        return readings.computeIfAbsent(
                new LogPartition(partition.topic(), partition.partition()), p -> new LogReading(p, from, ledger));
    }

    /** Null if the partition is not audited. */
    public @Nullable LogReading reading(TopicPartition partition) {
        return readings.get(new LogPartition(partition.topic(), partition.partition()));
    }

    public ReadLedger ledger() {
        return ledger;
    }

    /** Writes to the journal all entries added since the last call; used by one thread at a time. */
    public void drain(Journal journal) {
        adopted.drain(journal);
        for (ProducerTrail trail : inOrder) {
            trail.drain(journal);
        }
    }

    /**
     * The producers of other workers with their journals. Any thread can pass blocks; the thread that writes the joint
     * journal reads them.
     */
    public final class RemoteTrails {
        private final Queue<byte[]> blocks = new ConcurrentLinkedQueue<>();
        private volatile List<String> topics = List.of();
        private volatile boolean damaged;

        /**
         * Adds the producers of one worker before its first record.
         * @param profiles with consecutive IDs that follow the previous worker's last ID
         * @param journalled topics by their number in the journals
         * @throws IllegalArgumentException if the numbers have a gap
         */
        public void producers(List<ProducerProfile> profiles, List<String> journalled) {
            topics = List.copyOf(journalled);
            synchronized (AuditTrail.this) {
                for (ProducerProfile profile : profiles) {
                    if (profile.id() != inOrder.size()) {
                        throw new IllegalArgumentException(
                                "producer " + profile.id() + " after " + (inOrder.size() - 1));
                    }
                    add(new ProducerTrail(profile, topics));
                }
            }
        }

        /** Adds a block of a worker's journal. Blocks must be complete and in order. */
        public void journal(byte[] block) {
            blocks.add(block);
        }

        /** Reports that the worker was lost; it may have sent more than its journal contains. */
        public void lost(List<ProducerProfile> profiles) {
            damaged = true;
            profiles.forEach(profile -> open.add(profile.id()));
        }

        /** Reports that part of a journal did not arrive. */
        public void missed() {
            damaged = true;
        }

        /** False after a gap or a lost worker: records in the log can then lack a journal entry without being an anomaly. */
        public boolean complete() {
            return !damaged;
        }

        void drain(Journal journal) {
            JournalReader reader = new JournalReader(topics);
            for (byte[] block = blocks.poll(); block != null; block = blocks.poll()) {
                try {
                    damaged |= !reader.read(new ByteArrayInputStream(block), new HandingOn(journal));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (RuntimeException e) {
                    // Another machine sent invalid bytes.
                    damaged = true;
                }
            }
        }

        /** Copies another worker's entries to the joint journal, and keeps the state that readers of the log need. */
        private final class HandingOn implements Journal {
            private final Journal to;

            HandingOn(Journal to) {
                this.to = to;
            }

            @Override
            public void acknowledged(
                    int producer, long firstSequence, long count, LogPartition partition, long firstOffset) {
                to.acknowledged(known(producer).id(), firstSequence, count, partition, firstOffset);
            }

            @Override
            public void ended(Ending ending, int producer, long firstSequence, long count) {
                to.ended(ending, known(producer).id(), firstSequence, count);
            }

            @Override
            public void sent(int producer, long sequences) {
                // The trail itself writes the entry.
                ProducerTrail trail = known(producer);
                trail.sent(Math.max(trail.sent(), sequences));
            }

            @Override
            public void batches(
                    int producer, long kafkaProducerId, short epoch, LogPartition partition, long sequence) {
                AuditTrail.this.known(known(producer).id(), kafkaProducerId, epoch, partition, sequence);
                to.batches(producer, kafkaProducerId, epoch, partition, sequence);
            }
        }
    }
}
