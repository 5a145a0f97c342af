package io.plimsoll.measure;

import java.util.List;
import java.util.Map;

/**
 * The account of what one worker did in about one second: an immutable value that can be serialised. Snapshots of a worker follow each
 * other without gap, so that their sum is everything the worker did; snapshots of several workers add up likewise.
 *
 * @param worker name of the worker, {@code local} for the one in this process
 * @param trial name of the trial
 * @param sequence 0, 1, 2, … within the trial
 * @param phase in the middle of the stretch
 * @param fromNanos start of the stretch, after the trial's start
 * @param toNanos end of the stretch
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
        String worker,
        String trial,
        long sequence,
        Phase phase,
        long fromNanos,
        long toNanos,
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

    /** Without what the clients say of themselves. */
    public Snapshot(
            String worker,
            String trial,
            long sequence,
            Phase phase,
            long fromNanos,
            long toNanos,
            Window warmup,
            Window measured,
            WireCounts wire,
            GeneratorSample generator,
            Map<String, Long> lag,
            Map<String, Partition> partitions) {
        this(
                worker,
                trial,
                sequence,
                phase,
                fromNanos,
                toNanos,
                warmup,
                measured,
                wire,
                generator,
                lag,
                partitions,
                List.of());
    }

    /** @param produced acknowledged records */
    public record Partition(long produced, long consumed) {
        public Partition plus(Partition o) {
            return new Partition(produced + o.produced, consumed + o.consumed);
        }
    }
}
