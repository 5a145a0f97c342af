package io.plimsoll.audit;

import java.util.ArrayList;
import java.util.List;

/** The outcome of each record of each producer, as a journal tells it. Not thread-safe. */
public class Outcomes implements JournalReader.Sink {
    private static final class Sets {
        final SequenceSet acknowledged = new SequenceSet();
        final SequenceSet failed = new SequenceSet();
        final SequenceSet committed = new SequenceSet();
        final SequenceSet aborted = new SequenceSet();
        long sent;
    }

    private final List<ProducerProfile> profiles;
    private final List<Sets> producers = new ArrayList<>();
    private boolean ended;

    /** @param profiles by id */
    public Outcomes(List<ProducerProfile> profiles) {
        this.profiles = List.copyOf(profiles);
        this.profiles.forEach(p -> producers.add(new Sets()));
    }

    @Override
    public void acknowledged(int producer, long firstSequence, long count, LogPartition partition, long firstOffset) {
        Sets sets = producers.get(producer);
        sets.acknowledged.add(firstSequence, count);
        sets.sent = Math.max(sets.sent, firstSequence + count);
    }

    @Override
    public void failed(int producer, long firstSequence, long count) {
        producers.get(producer).failed.add(firstSequence, count);
    }

    @Override
    public void committed(int producer, long firstSequence, long count) {
        producers.get(producer).committed.add(firstSequence, count);
    }

    @Override
    public void aborted(int producer, long firstSequence, long count) {
        producers.get(producer).aborted.add(firstSequence, count);
    }

    @Override
    public void sent(int producer, long sequences) {
        Sets sets = producers.get(producer);
        sets.sent = Math.max(sets.sent, sequences);
    }

    @Override
    public void batches(int producer, long kafkaProducerId, short epoch, LogPartition partition, long sequence) {
        // Who wrote a batch matters to those who read the log.
    }

    @Override
    public void ended() {
        ended = true;
    }

    /** False if the process was killed: then more may have been sent than is written down. */
    public boolean complete() {
        return ended;
    }

    public List<ProducerProfile> profiles() {
        return profiles;
    }

    /** No sequence that is not below was sent, as far as is written down. */
    public long sent(int producer) {
        return producers.get(producer).sent;
    }

    /** The records that must be in the log: acknowledged, in a transaction that was committed if there are any. */
    SequenceSet durable(int producer) {
        Sets sets = producers.get(producer);
        if (!profiles.get(producer).transactional()) {
            return sets.acknowledged;
        }
        SequenceSet durable = new SequenceSet();
        SequenceSet.ranges(
                new SequenceSet[] {sets.acknowledged, sets.committed},
                new SequenceSet[] {sets.aborted},
                SequenceSet.LIMIT,
                (first, end) -> durable.add(first, end - first));
        return durable;
    }

    SequenceSet failed(int producer) {
        return producers.get(producer).failed;
    }

    SequenceSet aborted(int producer) {
        return producers.get(producer).aborted;
    }
}
