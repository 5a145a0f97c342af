package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The causes that limited a trial, according to its figures.
 *
 * @param causes most likely first; empty if nothing stands out
 * @param stages stages of a produced record, in order; their sum is the mean response time (in a closed loop, the
 *     service time). Empty if unknown
 * @param notAvailable causes that could not be evaluated, each with the missing figures
 * @param bounds use of this host's resources by the load, as far as known
 * @param growth the stage that grew most from a sustained load to this load; null, and absent, if unknown
 */
public record Limits(
        @JsonSetter(nulls = AS_EMPTY) List<Suspect> causes,
        @JsonSetter(nulls = AS_EMPTY) List<Stage> stages,
        @JsonSetter(nulls = AS_EMPTY) List<Sentence> notAvailable,
        @JsonSetter(nulls = AS_EMPTY) List<HostBound> bounds,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Growth growth) {
    /** Minimum score at which the first cause is reported as the most likely cause. */
    public static final double NAMED = 0.3;

    public Limits(List<Suspect> causes, List<Stage> stages, List<Sentence> notAvailable) {
        this(causes, stages, notAvailable, List.of(), null);
    }

    public Limits withBounds(List<HostBound> known) {
        return new Limits(causes, stages, notAvailable, known, growth);
    }

    /**
     * A possible cause.
     *
     * @param limit name of the cause, the same in all trials, such as {@code client quota}
     * @param where place of the cause, such as {@code broker 2} or {@code orders-3}; null if not applicable
     * @param score 0 to 1: utilization of the resource × share of the time that the cause explains
     * @param evidence figures that support the cause
     */
    public record Suspect(
            Sentence limit,
            @Nullable Sentence where,
            double score,
            Sentence sentence,
            @JsonSetter(nulls = AS_EMPTY) List<Sentence> evidence) {}

    /**
     * One stage of a record's time.
     *
     * @param share share of the total
     */
    public record Stage(Sentence name, double ms, double share) {}

    /**
     * The stage of a request that grew most between two loads. Stages in which records only wait for earlier requests are
     * not considered: they grow with every limit.
     *
     * @param stage name of the stage, as in {@link Stage}
     * @param fromMs mean at the lower load
     * @param toMs mean at the higher load
     */
    public record Growth(Sentence stage, double fromMs, double toMs) {
        private static final Set<String> WAITS =
                Set.of("diagnose.stage.late", "diagnose.stage.buffer", "diagnose.stage.batch", "diagnose.stage.behind");
        private static final double LEAST_FACTOR = 1.5;
        private static final double LEAST_MS = 0.5;

        /** @return null if no stage grew by at least half and 0.5 ms, or if the stages of a load are unknown */
        public static @Nullable Growth between(List<Stage> low, List<Stage> high) {
            Map<String, Double> before =
                    low.stream().collect(Collectors.toMap(s -> s.name().key(), Stage::ms));
            return high.stream()
                    .filter(s -> !low.isEmpty() && !WAITS.contains(s.name().key()))
                    .map(s -> new Growth(s.name(), before.getOrDefault(s.name().key(), 0.0), s.ms()))
                    .filter(g -> g.toMs >= g.fromMs * LEAST_FACTOR && g.toMs - g.fromMs >= LEAST_MS)
                    .max(Comparator.comparingDouble(g -> g.toMs - g.fromMs))
                    .orElse(null);
        }
    }

    /** The most likely cause; null if nothing stands out. */
    public @Nullable Suspect first() {
        return causes.isEmpty() || causes.get(0).score() < NAMED ? null : causes.get(0);
    }
}
