package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counts of one worker over about one second. Immutable. Snapshots of a worker are contiguous, so their sum is the complete
 * load; snapshots of several workers can be added.
 *
 * @param worker {@code local} in this process
 * @param sequence 0, 1, 2, … within the trial
 * @param phase in the middle of the interval
 * @param fromNanos since the trial's start
 * @param toNanos since the trial's start
 * @param clockErrorNanos maximum clock offset between workers; null with a single clock
 * @param appendErrorNanos error bound of times from a broker's append; null if unknown
 * @param warmup counts of the warm-up by intended time
 * @param measured counts of the measured window
 * @param whole counts of this interval regardless of window: {@link WireUse}, {@link GeneratorUse}, {@link Consumed#LAG}, and
 *     counts by partition
 * @param busiest thread of the load generator
 * @param clients metrics of the Kafka clients by scenario entry; empty before 1.0
 * @param slow the slowest batches of this interval, at most {@value SlowTail#MOST} of each side; empty before 1.1
 */
public record Snapshot(
        String worker,
        String trial,
        long sequence,
        Phase phase,
        long fromNanos,
        long toNanos,
        Long clockErrorNanos,
        Long appendErrorNanos,
        Counts warmup,
        Counts measured,
        Counts whole,
        GeneratorUse.Busiest busiest,
        List<Observation> clients,
        List<SlowBatch> slow) {
    public Snapshot {
        clients = List.copyOf(clients);
        slow = SlowBatch.slowest(slow, SlowTail.MOST);
    }

    /** The larger of two errors; null if neither is known. */
    public static Long worst(Long a, Long b) {
        return a == null || b == null ? (a == null ? b : a) : Long.valueOf(Math.max(a, b));
    }

    /** JSON form: {@code whole} by family, with the busiest thread in {@code generator}. */
    record Json(
            String worker,
            String trial,
            long sequence,
            Phase phase,
            long fromNanos,
            long toNanos,
            Long clockErrorNanos,
            Long appendErrorNanos,
            Counts warmup,
            Counts measured,
            Map<String, Object> wire,
            Map<String, Object> generator,
            Map<String, Object> lag,
            Map<String, Object> partitions,
            List<Observation> clients,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SlowBatch> slow) {}

    private static final String WIRE = "wire";
    private static final String GENERATOR = "generator";
    private static final String LAG = "lag";
    private static final String PARTITIONS = "partitions";
    private static final String BUSIEST = "busiestThread";
    private static final String BUSIEST_SHARE = "busiestThreadShare";

    @JsonValue
    Json json() {
        Map<String, Object> json = whole.json(List.of(WIRE, GENERATOR, LAG, PARTITIONS));
        Map<String, Object> generator = new HashMap<>(part(json, GENERATOR));
        generator.put(BUSIEST, busiest.thread());
        generator.put(BUSIEST_SHARE, busiest.share());
        return new Json(
                worker,
                trial,
                sequence,
                phase,
                fromNanos,
                toNanos,
                clockErrorNanos,
                appendErrorNanos,
                warmup,
                measured,
                part(json, WIRE),
                generator,
                part(json, LAG),
                part(json, PARTITIONS),
                clients,
                slow);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Snapshot of(Json s) {
        Map<String, Object> whole = new HashMap<>();
        whole.put(WIRE, s.wire);
        whole.put(GENERATOR, s.generator);
        whole.put(LAG, s.lag);
        whole.put(PARTITIONS, s.partitions);
        return new Snapshot(
                s.worker,
                s.trial,
                s.sequence,
                s.phase,
                s.fromNanos,
                s.toNanos,
                s.clockErrorNanos,
                s.appendErrorNanos,
                s.warmup,
                s.measured,
                Counts.read(whole),
                new GeneratorUse.Busiest(
                        (String) s.generator.get(BUSIEST), ((Number) s.generator.get(BUSIEST_SHARE)).doubleValue()),
                s.clients == null ? List.of() : s.clients,
                s.slow == null ? List.of() : s.slow);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> part(Map<String, Object> json, String family) {
        return (Map<String, Object>) json.get(family);
    }

    /** A copy for several workers with this clock error; null for a single clock. */
    public Snapshot withClockError(Long nanos) {
        return new Snapshot(
                worker,
                trial,
                sequence,
                phase,
                fromNanos,
                toNanos,
                nanos,
                appendErrorNanos,
                warmup,
                measured,
                whole,
                busiest,
                clients,
                slow);
    }

    /** Counts of this interval over both windows. */
    public Counts all() {
        return Counts.Sum.overTime().add(warmup).add(measured).add(whole).take();
    }
}
