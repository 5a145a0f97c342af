package io.plimsoll.search;

import java.util.Set;

/**
 * The goals of a search, its precision, and the length of its trials.
 *
 * @param goals one or both goals; the search for {@link Goal#WITHIN_SLO} comes first, because its loads are lower
 * @param width goal width: (upper − lower) ÷ upper bound, above 0 and below 0.5
 * @param curvePoints number of measured loads below the ceiling for the curve
 * @param budgetSeconds time limit of the search; infinite for no limit
 */
public record SearchSettings(
        Set<Goal> goals, Loads loads, double width, Lengths lengths, int curvePoints, double budgetSeconds) {

    /** The default goal width. */
    public static final double WIDTH = 0.05;

    /**
     * The range of loads, in records or bytes per second.
     * @param least lowest load
     * @param most highest load; infinite for no limit
     * @param generatorMost calibrated maximum of the load generator; infinite if unknown. No higher load is tried, and
     *     reaching this load is not evidence about the cluster
     */
    public record Loads(double least, double most, double generatorMost) {
        public Loads {
            require(least > 0 && least <= most, "the least load is more than 0 and at most the most");
            require(least <= generatorMost, "a generator makes at least the least load");
        }

        double highest() {
            return Math.min(most, generatorMost);
        }
    }

    /**
     * Lengths of the measured windows of trials, in seconds.
     *
     * @param push the first trial, for a first guess
     * @param brief trials that only guide the search
     * @param full trials that count for a classification; longer than {@code brief}
     * @param confirm the last trial at the lower bound; 0 for no such trial
     * @param overhead initial estimate of the time per trial outside the measured window
     */
    public record Lengths(double push, double brief, double full, double confirm, double overhead) {
        public Lengths {
            require(push > 0 && brief > 0 && brief < full, "brief trials are shorter than full ones");
            require(confirm == 0 || confirm >= full, "a confirmation is at least as long as a full trial");
        }
    }

    public SearchSettings {
        goals = Set.copyOf(goals);
        require(!goals.isEmpty(), "a search has a goal");
        require(width > 0 && width < 0.5, "the goal width is between 0 and 0.5");
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    SearchSettings withLoads(Loads changed) {
        return new SearchSettings(goals, changed, width, lengths, curvePoints, budgetSeconds);
    }

    /** The number of goal widths between two loads. */
    double cells(double lower, double upper) {
        return Math.log(upper / lower) / -Math.log1p(-width);
    }

    /** The load that is this number of goal widths above another, or below for a negative number. */
    double shifted(double load, double cells) {
        return load * Math.pow(1 - width, -cells);
    }
}
