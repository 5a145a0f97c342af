package io.plimsoll.result;

import io.plimsoll.text.Sentence;

/**
 * What a guard of a cluster of others saw while a trial's load went on.
 *
 * @param guard its name, such as {@code replicas}
 * @param watches what it looked at
 * @param found what it found wrong; null if nothing
 * @param halvedSeconds when the load was first held back for it, in seconds of the trial; null if it was not
 * @param stoppedSeconds when the load was stopped for it, likewise
 * @param latency of its own records, from when each was due until it was read; null unless it is the probe
 */
public record GuardResult(
        String guard,
        Sentence watches,
        Sentence found,
        Double halvedSeconds,
        Double stoppedSeconds,
        TrialResult.Latency latency) {}
