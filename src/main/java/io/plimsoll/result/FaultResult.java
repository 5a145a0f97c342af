package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.text.Sentence;
import java.util.Map;

/**
 * What one fault did, as {@code result.json} tells it. Times are seconds; a fault answers for everything from when it was
 * asked for until the next one was, or the load ended. Nested values lie flat in JSON.
 */
public record FaultResult(
        @JsonUnwrapped Deed deed,
        @JsonUnwrapped Span span,
        @JsonUnwrapped Effect effect) {

    /**
     * What was done.
     *
     * @param action as in the scenario, such as {@code kill}
     * @param what what and whom, for people
     * @param broker null if it happened to none
     * @param outcome {@code over}, {@code not over}, {@code failed} or {@code skipped}; not over if it lasted until the trial
     *     ended
     * @param detail why it failed or was skipped; null otherwise
     */
    public record Deed(String action, Sentence what, Integer broker, String outcome, Sentence detail) {}

    /**
     * When it was, in seconds after the trial's start.
     *
     * @param inEffect null if it never was
     * @param over null if it was not
     */
    public record Span(double asked, Double inEffect, Double over) {}

    /**
     * What came of it.
     *
     * @param longestGapSeconds the longest time without an acknowledgement; null without producers
     * @param throughputBackSeconds from when it was asked for until at least 95 % of the earlier records/s were
     *     acknowledged again; 0 if they always were; null if not before the end, or if nothing came before
     * @param underReplicated the most partitions that lacked a replica in sync
     * @param isrFullSeconds from when it was asked for until every replica was in sync again; null if none was out of
     *     sync, or some were until the end
     * @param errors by kind, of producing and consuming
     * @param worstResponseMicros null if nothing was acknowledged
     * @param lost acknowledged records that are not in the log; null if it cannot be told which fault lost them
     * @param duplicated null as with {@code lost}, or if the audit did not look for them
     */
    public record Effect(
            Double longestGapSeconds,
            Double throughputBackSeconds,
            int underReplicated,
            Double isrFullSeconds,
            TrialResult.Errors errors,
            Long worstResponseMicros,
            Long lost,
            Long duplicated) {
        public Effect {
            errors = errors == null ? new TrialResult.Errors(0, Map.of()) : errors;
        }
    }
}
