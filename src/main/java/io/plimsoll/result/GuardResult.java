package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import org.jspecify.annotations.Nullable;

/**
 * Findings of one guard of a shared cluster during a trial.
 *
 * @param guard name of the guard, such as {@code replicas}
 * @param watches condition that the guard monitors
 * @param found the problem that the guard found; null if none
 * @param halvedSeconds time of the trial at which it first reduced the load, in seconds; null if it did not
 * @param stoppedSeconds time of the trial at which it stopped the load, in seconds; null if it did not
 * @param latency latency of the probe's records, from due time until they were read; null for other guards
 */
public record GuardResult(
        String guard,
        Sentence watches,
        @Nullable Sentence found,
        @Nullable Double halvedSeconds,
        @Nullable Double stoppedSeconds,
        TrialResult.@Nullable Latency latency) {}
