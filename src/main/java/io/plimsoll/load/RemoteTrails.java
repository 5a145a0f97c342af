package io.plimsoll.load;

import io.plimsoll.audit.Journal;
import io.plimsoll.audit.JournalReader;
import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.ProducerProfile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The producers of other workers, and what their journals say. Thread-safe: blocks come from anywhere, and are read by
 * the thread that writes the journal of all.
 */
public final class RemoteTrails {
    private final AuditTrail trail;
    private final Queue<byte[]> blocks = new ConcurrentLinkedQueue<>();
    private volatile List<String> topics = List.of();
    private volatile boolean damaged;

    RemoteTrails(AuditTrail trail) {
        this.trail = trail;
    }

    /**
     * Before the first record.
     *
     * @param profiles of one worker, numbered on from those of the one before
     * @param journalled topics as the journals number them
     * @throws IllegalArgumentException if the numbers do not go on
     */
    public void producers(List<ProducerProfile> profiles, List<String> journalled) {
        topics = List.copyOf(journalled);
        profiles.forEach(profile -> trail.adopt(profile, topics));
    }

    /** One or more whole blocks of a worker's journal, in the order in which they were written. */
    public void journal(byte[] block) {
        blocks.add(block);
    }

    /** More may have been sent than the journal says: the worker was lost. */
    public void lost(List<ProducerProfile> profiles) {
        damaged = true;
        profiles.forEach(profile -> trail.anything(profile.id()));
    }

    /** Something of a journal did not arrive. */
    public void missed() {
        damaged = true;
    }

    /** False if a journal has a gap or its worker was lost: then what is in the log and not in a journal is nobody's fault. */
    public boolean complete() {
        return !damaged;
    }

    void drain(Journal journal) {
        JournalReader reader = new JournalReader(topics);
        for (byte[] block = blocks.poll(); block != null; block = blocks.poll()) {
            try {
                damaged |= !reader.read(new ByteArrayInputStream(block), new HandingOn(trail, journal));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (RuntimeException e) {
                // Bytes from another machine that are no journal: nothing may rest on them.
                damaged = true;
            }
        }
    }

    /** Writes down again what another worker has written, and remembers of it what readers of the log must know. */
    private record HandingOn(AuditTrail trail, Journal to) implements Journal {
        @Override
        public void acknowledged(
                int producer, long firstSequence, long count, LogPartition partition, long firstOffset) {
            to.acknowledged(known(producer), firstSequence, count, partition, firstOffset);
        }

        @Override
        public void ended(Ending ending, int producer, long firstSequence, long count) {
            to.ended(ending, known(producer), firstSequence, count);
        }

        @Override
        public void sent(int producer, long sequences) {
            // Written down with what the trail itself knows to be sent.
            trail.sentAtLeast(known(producer), sequences);
        }

        @Override
        public void batches(int producer, long kafkaProducerId, short epoch, LogPartition partition, long sequence) {
            trail.known(known(producer), kafkaProducerId, epoch, partition, sequence);
            to.batches(producer, kafkaProducerId, epoch, partition, sequence);
        }

        private int known(int producer) {
            if (trail.profile(producer) == null) {
                throw new IllegalArgumentException("no producer " + producer);
            }
            return producer;
        }
    }
}
