package io.plimsoll.search;

import java.util.Map;

/**
 * The outcome of a trial.
 *
 * @param passed for each goal whether the trial met it, if it decides; without meaning after a {@link Step.Kind#PUSH}
 * @param generatorLimited the trial did not pass, and the load generator was the reason: it says nothing about the
 *     cluster
 * @param achieved acknowledged records per second
 * @param spentSeconds total time of the trial, including preparation and clean-up
 */
public record StepOutcome(Map<Goal, Boolean> passed, boolean generatorLimited, double achieved, double spentSeconds) {}
