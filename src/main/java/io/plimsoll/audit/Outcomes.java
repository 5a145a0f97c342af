package io.plimsoll.audit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The outcome of each record of each producer, collected from a journal. Not thread-safe. */
public class Outcomes implements Journal {
    private static final class Sets {
        final SequenceSet acknowledged = new SequenceSet();
        final Map<Ending, SequenceSet> ended = new EnumMap<>(Ending.class);
        long sent;
    }

    private final List<ProducerProfile> profiles;
    private final List<Sets> producers = new ArrayList<>();
    private boolean ended;

    /** @param profiles indexed by producer id */
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
    public void ended(Ending ending, int producer, long firstSequence, long count) {
        of(ending, producer).add(firstSequence, count);
    }

    @Override
    public void sent(int producer, long sequences) {
        Sets sets = producers.get(producer);
        sets.sent = Math.max(sets.sent, sequences);
    }

    @Override
    public void ended() {
        ended = true;
    }

    /** False if the process was killed: the journal can then lack records that were sent. */
    public boolean complete() {
        return ended;
    }

    public List<ProducerProfile> profiles() {
        return profiles;
    }

    /** Exclusive upper bound of the sequences that the producer sent, according to the journal. */
    public long sent(int producer) {
        return producers.get(producer).sent;
    }

    /** Records that must be in the log: acknowledged and, for transactional producers, committed. */
    SequenceSet durable(int producer) {
        Sets sets = producers.get(producer);
        if (!profiles.get(producer).transactional()) {
            return sets.acknowledged;
        }
        return SequenceSet.of(
                new SequenceSet[] {sets.acknowledged, of(Ending.COMMITTED, producer)}, of(Ending.ABORTED, producer));
    }

    SequenceSet of(Ending ending, int producer) {
        return producers.get(producer).ended.computeIfAbsent(ending, e -> new SequenceSet());
    }
}
