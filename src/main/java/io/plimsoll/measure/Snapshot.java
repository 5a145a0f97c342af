package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;

/**
 * The account of what one worker did in about one second: an immutable value that can be serialised. Snapshots of a worker
 * follow each other without gap, so that their sum is everything the worker did; snapshots of several workers add up
 * likewise. The stretch lies flat in JSON.
 *
 * @param warmup what belongs to the warm-up (by intended time), even if it arrived later
 * @param measured what belongs to the measured window
 * @param wire client counters of this stretch
 * @param generator the generator's own use of this stretch
 * @param lag records in the log that consumers have not read yet, by group, at the end of the stretch; a group that
 *     could not be asked is absent
 * @param partitions acknowledged and consumed records of this stretch, warm-up included, key {@code topic-partition}
 * @param clients what the clients say of themselves, by entry of the scenario; empty in earlier versions
 */
public record Snapshot(
        @JsonUnwrapped Stretch stretch,
        Window warmup,
        Window measured,
        WireCounts wire,
        GeneratorSample generator,
        Map<String, Long> lag,
        Map<String, Partition> partitions,
        List<Observation> clients) {
    public Snapshot {
        lag = Map.copyOf(lag);
        partitions = Map.copyOf(partitions);
        clients = clients == null ? List.of() : List.copyOf(clients);
    }

    /**
     * Whose account it is, and of when; nanoseconds are those after the trial's start.
     *
     * @param worker name of the worker, {@code local} for the one in this process
     * @param trial name of the trial
     * @param sequence 0, 1, 2, … within the trial
     * @param phase in the middle of the stretch
     * @param clockErrorNanos how far the clocks of several workers may be apart, unnoticed; null if there is one clock
     * @param appendErrorNanos by how much times from a broker's append on may be wrong, by the worker's clock; null if
     *     nobody can tell
     */
    public record Stretch(
            String worker,
            String trial,
            long sequence,
            Phase phase,
            long fromNanos,
            long toNanos,
            Long clockErrorNanos,
            Long appendErrorNanos) {
        /** The greater of two errors; null if neither is known. */
        public static Long worst(Long a, Long b) {
            return a == null || b == null ? (a == null ? b : a) : Long.valueOf(Math.max(a, b));
        }
    }

    /** The same of several workers, whose clocks may be so far apart; null if there is one clock. */
    public Snapshot withClockError(Long nanos) {
        Stretch s = stretch;
        return new Snapshot(
                new Stretch(s.worker, s.trial, s.sequence, s.phase, s.fromNanos, s.toNanos, nanos, s.appendErrorNanos),
                warmup,
                measured,
                wire,
                generator,
                lag,
                partitions,
                clients);
    }

    public String worker() {
        return stretch.worker;
    }

    public String trial() {
        return stretch.trial;
    }

    public long sequence() {
        return stretch.sequence;
    }

    public Phase phase() {
        return stretch.phase;
    }

    public long fromNanos() {
        return stretch.fromNanos;
    }

    public long toNanos() {
        return stretch.toNanos;
    }

    /** @param produced acknowledged records */
    public record Partition(long produced, long consumed) {
        public Partition plus(Partition o) {
            return new Partition(produced + o.produced, consumed + o.consumed);
        }
    }
}
