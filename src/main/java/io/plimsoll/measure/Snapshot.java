package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.plimsoll.scenario.Labels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one worker over about one second. Immutable. Snapshots of a worker are contiguous, so their sum is the
 * complete load; snapshots of several workers can be added.
 * @param worker name of the worker; {@code local} for this process
 * @param sequence 0, 1, 2, … within the trial
 * @param phase phase in the middle of the interval
 * @param fromNanos start of the interval, since the trial's start
 * @param toNanos end of the interval, since the trial's start
 * @param clockErrorNanos maximum clock offset between workers; null with a single clock
 * @param appendErrorNanos error bound of times from a broker's append; null if unknown
 * @param warmup counts of the warm-up by intended time
 * @param measured counts of the measured window
 * @param whole counts of this interval regardless of window: {@link WireUse}, {@link GeneratorUse}, {@link
 *     Consumed#LAG}, {@link Consumed#LEAST_LAG}, and counts by partition
 * @param busiest thread of the load generator
 * @param clients metrics of the Kafka clients by scenario entry; empty before 1.0
 * @param slow the slowest batches of this interval, at most {@value SlowTail#MOST} each of producers and of consumers;
 *     empty before 1.1
 */
public record Snapshot(
        String worker,
        String trial,
        long sequence,
        Phase phase,
        long fromNanos,
        long toNanos,
        @Nullable Long clockErrorNanos,
        @Nullable Long appendErrorNanos,
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

    /** The larger of two errors; null if both are unknown. */
    public static @Nullable Long worst(@Nullable Long a, @Nullable Long b) {
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
            @Nullable Long clockErrorNanos,
            @Nullable Long appendErrorNanos,
            Counts warmup,
            Counts measured,
            Map<String, Object> wire,
            Map<String, Object> generator,
            Map<String, Object> lag,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable
            Map<String, Object> leastLag,

            Map<String, Object> partitions,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable
            Map<String, Object> labels,

            @Nullable List<Observation> clients,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable
            List<SlowBatch> slow) {}

    private static final String WIRE = "wire";
    private static final String GENERATOR = "generator";
    private static final String LAG = "lag";
    private static final String LEAST_LAG = "leastLag";
    private static final String PARTITIONS = "partitions";
    private static final String BUSIEST = "busiestThread";
    private static final String BUSIEST_SHARE = "busiestThreadShare";

    @JsonValue
    Json json() {
        Map<String, Object> json = whole.json(List.of(WIRE, GENERATOR, LAG, LEAST_LAG, PARTITIONS, Counts.LABELS));
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
                part(json, LEAST_LAG),
                part(json, PARTITIONS),
                part(json, Counts.LABELS),
                clients,
                slow);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Snapshot of(Json s) {
        Map<String, Object> whole = new HashMap<>();
        whole.put(WIRE, s.wire);
        whole.put(GENERATOR, s.generator);
        whole.put(LAG, s.lag);
        whole.put(LEAST_LAG, s.leastLag);
        whole.put(PARTITIONS, s.partitions);
        whole.put(Counts.LABELS, s.labels);
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
                        (String) s.generator.getOrDefault(BUSIEST, ""),
                        ((Number) s.generator.getOrDefault(BUSIEST_SHARE, 0)).doubleValue()),
                s.clients == null ? List.of() : s.clients,
                s.slow == null ? List.of() : s.slow);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> part(Map<String, Object> json, String family) {
        return (Map<String, Object>) json.getOrDefault(family, Map.of());
    }

    /** A copy with the clock error between several workers; null for a single clock. */
    public Snapshot withClockError(@Nullable Long nanos) {
        return with(nanos, warmup, measured, whole, clients, slow);
    }

    private Snapshot with(
            @Nullable Long clockError,
            Counts early,
            Counts late,
            Counts all,
            List<Observation> ofClients,
            List<SlowBatch> slowest) {
        return new Snapshot(
                worker,
                trial,
                sequence,
                phase,
                fromNanos,
                toNanos,
                clockError,
                appendErrorNanos,
                early,
                late,
                all,
                busiest,
                ofClients,
                slowest);
    }

    /** The labels, including those for consumer groups if several groups have separate counts. */
    public Set<String> labels() {
        Set<String> labels = new TreeSet<>();
        for (Counts part : List.of(warmup, measured, whole)) {
            labels.addAll(part.get(Counts.BY_LABEL).keySet());
        }
        return labels;
    }

    /** The part of the clients with a label; the whole snapshot for a group without separate counts, since it is the only group. */
    public Snapshot of(String label) {
        if (Labels.isOnlyGroup(label, labels())) {
            return this;
        }
        Counts early = warmup.of(label);
        Counts late = measured.of(label);
        Set<String> groups = new TreeSet<>(early.get(Consumed.GROUP_RECORDS).keySet());
        groups.addAll(late.get(Consumed.GROUP_RECORDS).keySet());
        Counts all = whole.of(label);
        for (Metric<Map<String, Long>> lag : List.of(Consumed.LAG, Consumed.LEAST_LAG)) {
            Map<String, Long> own = new TreeMap<>(whole.get(lag));
            own.keySet().retainAll(groups);
            all = all.with(lag, own);
        }
        return with(clockErrorNanos, early, late, all, List.of(), List.of());
    }

    /** Counts of this interval, for the warm-up and the measured window together. */
    public Counts all() {
        return Counts.Sum.overTime().add(warmup).add(measured).add(whole).total();
    }
}
