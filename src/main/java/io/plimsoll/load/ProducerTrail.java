package io.plimsoll.load;

import io.plimsoll.audit.Journal;
import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.ProducerProfile;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What becomes of the records of one producer of identities, until it is written down. Records in a row with offsets in
 * a row are one entry. Thread-safe: the sending thread gives out sequences, the client's tells their outcomes.
 */
public final class ProducerTrail {
    private static final int FIELDS = 4;
    private static final int PARTITION_BITS = 32;
    private static final long NOWHERE = -1;

    @SuppressWarnings("EnumOrdinal") // in an array of longs, which is never stored
    private enum Ending {
        FAILED,
        COMMITTED,
        ABORTED
    }

    private final ProducerProfile profile;
    private final List<String> topics;
    private final AtomicLong sent = new AtomicLong();

    /** Runs that are over: where, first sequence, first offset, records. Guarded by this object, as what follows. */
    private long[] runs = new long[8 * FIELDS];

    private int runCount;
    private long where = NOWHERE;
    private long firstSequence;
    private long firstOffset;
    private long count;
    private long[] endings = new long[3 * 8];
    private int endingCount;
    private long[] batches = {};
    private long sentBefore;

    ProducerTrail(ProducerProfile profile, List<String> topics) {
        this.profile = profile;
        this.topics = topics;
    }

    /** The producer in the identities of its records. */
    public int id() {
        return profile.id();
    }

    ProducerProfile profile() {
        return profile;
    }

    /** All sequences below are given out from now on; before a record of those is sent. */
    public void sent(long sequences) {
        sent.lazySet(sequences);
    }

    /** All sequences below it may have been sent. */
    public long sent() {
        return sent.get();
    }

    /**
     * A broker has acknowledged these records, whose sequences follow each other.
     *
     * @param topicIndex among the topics of the entry
     * @param offset of the first; negative if unknown
     */
    public synchronized void acknowledged(int topicIndex, int partition, long offset, long sequence, int records) {
        if (!profile.acknowledges()) {
            return;
        }
        long at = (long) topicIndex << PARTITION_BITS | partition;
        boolean goesOn = at == where && sequence == firstSequence + count && offset == firstOffset + count;
        if (goesOn && firstOffset >= 0) {
            count += records;
            return;
        }
        endRun();
        where = at;
        firstSequence = sequence;
        firstOffset = Math.max(-1, offset);
        count = records;
    }

    private void endRun() {
        if (where == NOWHERE) {
            return;
        }
        int at = runCount++ * FIELDS;
        if (at == runs.length) {
            runs = Arrays.copyOf(runs, 2 * at);
        }
        runs[at] = where;
        runs[at + 1] = firstSequence;
        runs[at + 2] = firstOffset;
        runs[at + 3] = count;
        where = NOWHERE;
    }

    /** These records were certainly not written. What is of unknown fate is not told. */
    public void failed(long sequence, long records) {
        ended(Ending.FAILED, sequence, records);
    }

    /** The transaction of these records was committed. */
    public void committed(long sequence, long records) {
        ended(Ending.COMMITTED, sequence, records);
    }

    /** The transaction of these records was aborted. */
    public void aborted(long sequence, long records) {
        ended(Ending.ABORTED, sequence, records);
    }

    private synchronized void ended(Ending ending, long sequence, long records) {
        int last = 3 * (endingCount - 1);
        if (endingCount > 0 && endings[last] == ending.ordinal() && endings[last + 1] + endings[last + 2] == sequence) {
            endings[last + 2] += records;
            return;
        }
        int at = 3 * endingCount++;
        if (at == endings.length) {
            endings = Arrays.copyOf(endings, 2 * at);
        }
        endings[at] = ending.ordinal();
        endings[at + 1] = sequence;
        endings[at + 2] = records;
    }

    /** Batches of this producer id of Kafka's carry these records, from its sequence 0 on. */
    synchronized void batches(int topicIndex, int partition, long kafkaProducerId, short epoch, long sequence) {
        int at = batches.length;
        batches = Arrays.copyOf(batches, at + FIELDS);
        batches[at] = (long) topicIndex << PARTITION_BITS | partition;
        batches[at + 1] = kafkaProducerId;
        batches[at + 2] = epoch;
        batches[at + 3] = sequence;
    }

    /** Writes down what is new. */
    synchronized void drain(Journal journal) {
        long sentNow = sent.get();
        if (sentNow != sentBefore) {
            journal.sent(id(), sentNow);
            sentBefore = sentNow;
        }
        endRun();
        for (int at = 0; at < runCount * FIELDS; at += FIELDS) {
            journal.acknowledged(id(), runs[at + 1], runs[at + 3], partition(runs[at]), runs[at + 2]);
        }
        runCount = 0;
        for (int at = 0; at < batches.length; at += FIELDS) {
            journal.batches(id(), batches[at + 1], (short) batches[at + 2], partition(batches[at]), batches[at + 3]);
        }
        batches = new long[0];
        for (int i = 0; i < endingCount; i++) {
            long first = endings[3 * i + 1];
            long records = endings[3 * i + 2];
            switch (Ending.values()[(int) endings[3 * i]]) {
                case FAILED -> journal.failed(id(), first, records);
                case COMMITTED -> journal.committed(id(), first, records);
                case ABORTED -> journal.aborted(id(), first, records);
            }
        }
        endingCount = 0;
    }

    private LogPartition partition(long at) {
        return new LogPartition(topics.get((int) (at >>> PARTITION_BITS)), (int) at);
    }
}
