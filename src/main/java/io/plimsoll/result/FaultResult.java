package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.text.Sentence;
import java.util.Map;

/**
 * What one fault did, as {@code result.json} tells it. Times are seconds; a fault answers for everything from when it was
 * asked for until the next one was, or the load ended. Deed, span and effect lie flat in JSON.
 *
 * @param silenced null without producers, or if it is not known
 * @param response null likewise
 * @param rebalance null, and absent, if no partition was given to a member
 */
public record FaultResult(
        @JsonUnwrapped Deed deed,
        @JsonUnwrapped Span span,
        @JsonUnwrapped Effect effect,
        Silenced silenced,
        Response response,
        @JsonInclude(JsonInclude.Include.NON_NULL) Rebalance rebalance) {

    /** What a kind of fault makes of its broker; of a kind that another version knew, nothing. */
    static FaultKind.Outage outage(String action) {
        FaultKind kind = FaultKind.all().get(action);
        return kind == null ? FaultKind.Outage.NONE : kind.outage();
    }

    /**
     * From when it was asked for until throughput was what it had been, and every partition that had fallen silent was
     * acknowledged something; null if that did not come, or is not known.
     */
    public Double backSeconds() {
        Double back = effect.throughputBackSeconds();
        if (silenced == null || silenced.partitions() == 0 || back == null) {
            return back;
        }
        Double over = silenced.overSeconds();
        return over == null ? null : Double.valueOf(Math.max(back, over));
    }

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

    /**
     * The partitions that were acknowledged nothing for at least half a second, and, if they were silent for half of the
     * time before the first fault, for twice as long as then: from the last acknowledgement before to the first one after.
     *
     * @param partitions how many
     * @param of how many there are
     * @param longestSeconds null if there were none
     * @param medianSeconds over these partitions, of the longest silence of each; null if there were none
     * @param overSeconds from when the fault was asked for until all of them were acknowledged something again, or the load
     *     ended; null if there were none
     * @param longestAppendSeconds likewise the longest, between two records that were acknowledged, when their brokers appended them:
     *     shorter than that of acknowledgements, which wait for the replicas in sync; null if none of half a second is known
     */
    public record Silenced(
            int partitions,
            int of,
            Double longestSeconds,
            Double medianSeconds,
            Double overSeconds,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double longestAppendSeconds) {
        Silenced withAppends(Silenced appends) {
            return new Silenced(partitions, of, longestSeconds, medianSeconds, overSeconds, appends.longestSeconds());
        }
    }

    /**
     * Response times of the records that were acknowledged around it, to a second; null where none were.
     *
     * @param before in the five seconds before the first fault of the trial; null if nothing was acknowledged then
     * @param during from when it was asked for until it was over and throughput was back, or the next one was asked for;
     *     null likewise
     * @param after from then until the next one was asked for, or the load ended; null likewise
     * @param steadyBefore whether the system was at rest before the first fault; null if there were too few seconds to tell
     */
    public record Response(Around before, Around during, Around after, Boolean steadyBefore) {}

    /**
     * In microseconds.
     *
     * @param p50 null where fewer than ten samples lie beyond it
     * @param p99 null likewise
     */
    public record Around(Long p50, Long p99, Long max) {}

    /**
     * The price of the rebalances that followed. A partition is silent from the last poll that returned records of it
     * before it was given to a member until the first one after.
     *
     * @param partitions that were given to members, perhaps to those that had them
     * @param longestSeconds the longest silence of one
     * @param medianSeconds over partitions, of the sum of the silences of each
     * @param silentSeconds of all partitions together
     * @param readAgain records that were read once more
     * @param stableSeconds from when the fault was asked for until a partition was given for the last time
     * @param coordinatorSeconds in which the coordinator said meanwhile that a group is not stable, good to 20 ms
     */
    public record Rebalance(
            int partitions,
            double longestSeconds,
            double medianSeconds,
            double silentSeconds,
            long readAgain,
            double stableSeconds,
            double coordinatorSeconds) {}
}
