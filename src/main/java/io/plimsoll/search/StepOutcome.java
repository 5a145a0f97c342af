package io.plimsoll.search;

import java.util.Map;

/**
 * The outcome of a trial.
 * @param passed for each goal that the trial can decide, whether the trial met it; meaningless after a {@link
 *     Step.Kind#PUSH}
 * @param generatorLimited whether the trial failed because of the load generator, so that it is not evidence about the
 *     cluster
 * @param achieved achieved load, in the unit of {@link Step#load}
 * @param spentSeconds total time of the trial, including preparation and clean-up
 */
public record StepOutcome(Map<Goal, Boolean> passed, boolean generatorLimited, double achieved, double spentSeconds) {}
