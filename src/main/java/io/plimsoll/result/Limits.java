package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonSetter;
import io.plimsoll.text.Sentence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The causes that limited a trial, according to its figures.
 *
 * @param causes most likely first; empty if nothing stands out
 * @param stages stages of a produced record, in order; their sum is the mean response time (in a closed loop, the
 *     service time). Empty if unknown
 * @param notAvailable causes that could not be evaluated, each with the missing figures
 * @param bounds use of this host's resources by the load, as far as known
 */
public record Limits(
        @JsonSetter(nulls = AS_EMPTY) List<Suspect> causes,
        @JsonSetter(nulls = AS_EMPTY) List<Stage> stages,
        @JsonSetter(nulls = AS_EMPTY) List<Sentence> notAvailable,
        @JsonSetter(nulls = AS_EMPTY) List<HostBound> bounds) {
    /** Minimum score at which the first cause is reported as the most likely cause. */
    public static final double NAMED = 0.3;

    public Limits(List<Suspect> causes, List<Stage> stages, List<Sentence> notAvailable) {
        this(causes, stages, notAvailable, List.of());
    }

    public Limits withBounds(List<HostBound> known) {
        return new Limits(causes, stages, notAvailable, known);
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

    /** The most likely cause; null if nothing stands out. */
    public @Nullable Suspect first() {
        return causes.isEmpty() || causes.get(0).score() < NAMED ? null : causes.get(0);
    }
}
