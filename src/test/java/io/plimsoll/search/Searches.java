package io.plimsoll.search;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Settings and outcomes for search tests. */
final class Searches {
    /** The highest sustained load, five percent wide, without limits. */
    static final SearchSettings SETTINGS = settings(EnumSet.of(Goal.SUSTAINED), SearchSettings.WIDTH, 3);

    private Searches() {}

    static SearchSettings settings(Set<Goal> goals, double width, int curvePoints) {
        return settings(
                goals, width, new SearchSettings.Lengths(8, 5, 12, 20, 5), curvePoints, Double.POSITIVE_INFINITY);
    }

    static SearchSettings settings(
            Set<Goal> goals, double width, SearchSettings.Lengths lengths, int curvePoints, double budgetSeconds) {
        SearchSettings.Loads any = new SearchSettings.Loads(1, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
        return new SearchSettings(goals, any, width, lengths, curvePoints, budgetSeconds);
    }

    /** A trial that met all goals or none. */
    static StepOutcome outcome(boolean passed, double achieved, double spentSeconds) {
        Map<Goal, Boolean> all = Map.of(Goal.SUSTAINED, passed, Goal.WITHIN_SLO, passed);
        return new StepOutcome(all, false, achieved, spentSeconds);
    }
}
