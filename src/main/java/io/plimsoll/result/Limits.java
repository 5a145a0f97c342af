package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.util.List;

/**
 * The causes that held a trial back, as far as its figures tell.
 *
 * @param causes the likeliest first; empty if nothing stands out
 * @param stages where the time of a produced record goes, in its order; they add up to the mean response time (in a
 *     closed loop: service time). Empty if unknown
 * @param notAvailable causes that could not be looked into, each with what was missing
 * @param bounds how near the load was to what this host carries, as far as that is known
 */
public record Limits(List<Suspect> causes, List<Stage> stages, List<Sentence> notAvailable, List<HostBound> bounds) {
    /** Less than this is no cause worth naming first. */
    public static final double NAMED = 0.3;

    public Limits {
        causes = causes == null ? List.of() : List.copyOf(causes);
        stages = stages == null ? List.of() : List.copyOf(stages);
        notAvailable = notAvailable == null ? List.of() : List.copyOf(notAvailable);
        bounds = bounds == null ? List.of() : List.copyOf(bounds);
    }

    /** Without bounds. */
    public Limits(List<Suspect> causes, List<Stage> stages, List<Sentence> notAvailable) {
        this(causes, stages, notAvailable, List.of());
    }

    public Limits withBounds(List<HostBound> known) {
        return new Limits(causes, stages, notAvailable, known);
    }

    /**
     * A possible cause.
     *
     * @param limit in a few words that do not change from one trial to the next, such as {@code client quota}
     * @param where such as {@code broker 2} or {@code orders-3}; null if that does not apply
     * @param score 0 to 1: how near it is to its limit, and how much of the time it explains
     * @param evidence the figures it rests on
     */
    public record Suspect(Sentence limit, Sentence where, double score, Sentence sentence, List<Sentence> evidence) {
        public Suspect {
            evidence = List.copyOf(evidence);
        }
    }

    /**
     * A part of the time of a record.
     *
     * @param share of the whole
     */
    public record Stage(Sentence name, double ms, double share) {}

    /** The likeliest cause; null if nothing stands out. */
    public Suspect first() {
        return causes.isEmpty() || causes.get(0).score() < NAMED ? null : causes.get(0);
    }
}
