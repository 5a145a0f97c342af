package io.plimsoll.search;

import java.util.Map;

/**
 * The outcome of a trial.
 *
 * @param passed for each goal whether the trial met it, as far as it says; without meaning after a {@link Step.Kind#PUSH}
 * @param generatorLimited the trial did not pass, and the load generator was the reason: it says nothing about the
 *     cluster
 * @param achieved acknowledged records per second
 * @param spentSeconds the trial took in all, its preparation and its clean-up included
 */
public record StepOutcome(Map<Goal, Boolean> passed, boolean generatorLimited, double achieved, double spentSeconds) {
    public StepOutcome {
        passed = Map.copyOf(passed);
    }
}
