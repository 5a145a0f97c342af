package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.plimsoll.text.Sentence;

/**
 * What a guard of a cluster of others saw while a trial's load went on.
 *
 * @param guard its name, such as {@code replicas}
 * @param watches what it looked at
 * @param found what it found wrong; absent if nothing
 * @param halvedSeconds when the load was first held back for it, in seconds of the trial; absent if it was not
 * @param stoppedSeconds when the load was stopped for it, likewise
 * @param latency of its own records, from when each was due until it was read; absent unless it is the probe
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GuardResult(
        String guard,
        Sentence watches,
        Sentence found,
        Double halvedSeconds,
        Double stoppedSeconds,
        TrialResult.Latency latency) {}
