package io.plimsoll.load;

import io.plimsoll.audit.Journal;
import io.plimsoll.audit.Journal.Ending;
import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.ProducerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of the records of one producer until they are written to the journal. Consecutive records with
 * consecutive offsets form one entry. The sending thread assigns sequences, the client's own thread reports
 * acknowledgments and never waits, and any thread reports other outcomes; {@link #drain} is called by one thread at a
 * time.
 */
public final class ProducerTrail {
    private static final int PARTITION_BITS = 32;

    private record Ended(Ending ending, long first, long records) {}

    private record Batches(LogPartition partition, long kafkaId, short epoch, long sequence) {}

    /** Acknowledged records with consecutive sequences and offsets; grows until the next run starts. */
    private static final class Run extends AtomicLong {
        private static final long serialVersionUID = 1;

        private final long where;
        private final long firstSequence;
        /** Offset of the first record; negative if unknown. */
        private final long firstOffset;

        private transient volatile @Nullable Run next;

        Run(long where, long firstSequence, long firstOffset, long records) {
            super(records);
            this.where = where;
            this.firstSequence = firstSequence;
            this.firstOffset = firstOffset;
        }
    }

    private final ProducerProfile profile;
    private final List<String> topics;
    private final AtomicLong sent = new AtomicLong();

    /** The current run; owned by the acknowledging thread. */
    private Run last = new Run(-1, 0, -1, 0);

    /** The first run that is not fully written, and the number of its written records; owned by the draining thread. */
    private Run written = last;

    private long writtenRecords;

    /** This object guards all fields from here on. */
    private final List<Ended> endings = new ArrayList<>();

    private final List<Batches> batches = new ArrayList<>();
    private long sentBefore;

    ProducerTrail(ProducerProfile profile, List<String> topics) {
        this.profile = profile;
        this.topics = topics;
    }

    /** Producer number in the identities of its records. */
    public int id() {
        return profile.id();
    }

    ProducerProfile profile() {
        return profile;
    }

    /** Announces that all sequences below this one may have been sent. Call before sending them. */
    public void sent(long sequences) {
        sent.lazySet(sequences);
    }

    /** Exclusive upper bound of the sequences that may have been sent. */
    public long sent() {
        return sent.get();
    }

    /**
     * Reports acknowledged records with consecutive sequences. Always called by the same thread.
     *
     * @param topicIndex index among the topics of the entry
     * @param offset of the first record; negative if unknown
     */
    public void acknowledged(int topicIndex, int partition, long offset, long sequence, int records) {
        if (!profile.acknowledges()) {
            return;
        }
        long at = (long) topicIndex << PARTITION_BITS | partition;
        Run run = last;
        long count = run.getPlain();
        boolean continues = at == run.where
                && run.firstOffset >= 0
                && sequence == run.firstSequence + count
                && offset == run.firstOffset + count;
        if (continues) {
            run.lazySet(count + records);
        } else {
            last = new Run(at, sequence, Math.max(-1, offset), records);
            run.next = last;
        }
    }

    /** Reports the outcome of records; unknown outcomes are not reported. */
    public synchronized void ended(Ending ending, long sequence, long records) {
        int at = endings.size() - 1;
        Ended before = at < 0 ? null : endings.get(at);
        if (before != null && before.ending == ending && before.first + before.records == sequence) {
            endings.set(at, new Ended(ending, before.first, before.records + records));
        } else {
            endings.add(new Ended(ending, sequence, records));
        }
    }

    /**
     * Links the batches of a Kafka producer ID to these records: sequence 0 of the ID is the record {@code sequence}.
     */
    synchronized void batches(LogPartition partition, long kafkaProducerId, short epoch, long sequence) {
        batches.add(new Batches(partition, kafkaProducerId, epoch, sequence));
    }

    synchronized void drain(Journal journal) {
        Run end = written;
        for (Run next = end.next; next != null; next = end.next) {
            end = next;
        }
        long endRecords = end.get();
        // Read after the acknowledgments, so that it includes all of them.
        long sentNow = sent.get();
        if (sentNow != sentBefore) {
            journal.sent(id(), sentNow);
            sentBefore = sentNow;
        }
        while (written != end) {
            write(journal, written.get());
            written = Objects.requireNonNull(written.next);
            writtenRecords = 0;
        }
        write(journal, endRecords);
        batches.forEach(b -> journal.batches(id(), b.kafkaId, b.epoch, b.partition, b.sequence));
        batches.clear();
        endings.forEach(e -> journal.ended(e.ending, id(), e.first, e.records));
        endings.clear();
    }

    private void write(Journal journal, long records) {
        Run run = written;
        long from = writtenRecords;
        if (records > from) {
            long offset = run.firstOffset < 0 ? -1 : run.firstOffset + from;
            journal.acknowledged(id(), run.firstSequence + from, records - from, partition(run.where), offset);
            writtenRecords = records;
        }
    }

    private LogPartition partition(long at) {
        return new LogPartition(topics.get((int) (at >>> PARTITION_BITS)), (int) at);
    }
}
