package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.text.Sentence;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Effect of one fault. Times are seconds. A fault accounts for everything from its request until the request of the
 * next fault, or the end of the load. In JSON, the fields of {@code deed}, {@code span} and {@code effect} are fields
 * of this object.
 * @param silenced partitions without acknowledgments; null without producers, or if unknown
 * @param response response times around the fault; null without producers, or if unknown
 * @param rebalance cost of rebalances; null, and absent, if no partition was assigned
 */
public record FaultResult(
        @JsonUnwrapped Deed deed,
        @JsonUnwrapped Span span,
        @JsonUnwrapped Effect effect,
        @Nullable Silenced silenced,
        @Nullable Response response,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Rebalance rebalance) {

    /** The outage that a kind of fault causes on its broker; none for kinds that this version does not know. */
    static FaultKind.Outage outage(String action) {
        FaultKind kind = FaultKind.all().get(action);
        return kind == null ? FaultKind.Outage.NONE : kind.outage();
    }

    /**
     * Time from the request until throughput was restored and every silent partition had an acknowledgment; null if
     * this did not happen, or is unknown.
     */
    public @Nullable Double backSeconds() {
        Double back = effect.throughputBackSeconds();
        if (silenced == null || silenced.partitions() == 0 || back == null) {
            return back;
        }
        Double over = silenced.overSeconds();
        return over == null ? null : Double.valueOf(Math.max(back, over));
    }

    /**
     * The injected fault.
     *
     * @param action the action as in the scenario, such as {@code kill}
     * @param what action and target as text
     * @param broker id of the affected broker; null if no broker is affected
     * @param outcome {@code over}, {@code not over}, {@code failed} or {@code skipped}; {@code not over} if it lasted
     *     until the trial ended
     * @param detail reason why it failed or was skipped; null otherwise
     */
    public record Deed(
            String action,
            Sentence what,
            @Nullable Integer broker,
            String outcome,
            @Nullable Sentence detail) {}

    /**
     * Period of the fault, in seconds after the start of the trial.
     *
     * @param inEffect start of its effect; null if it never took effect
     * @param over end of its effect; null if it did not end
     */
    public record Span(
            double asked,
            @Nullable Double inEffect,
            @Nullable Double over) {}

    /**
     * Consequences of the fault.
     *
     * @param longestGapSeconds longest time without any acknowledgment; null without producers
     * @param throughputBackSeconds time from the request until at least 95 % of the previous records/s were
     *     acknowledged again; 0 if throughput never dropped; null if it was not restored, or without a baseline
     * @param underReplicated maximum number of partitions with a replica out of sync
     * @param isrFullSeconds time from the request until every replica was in sync again; null if none was out of sync,
     *     or if some were still out of sync at the end
     * @param errors errors of producers and consumers, by kind
     * @param worstResponseMicros longest response time; null if nothing was acknowledged
     * @param lost acknowledged records missing from the log; null if they cannot be attributed to one fault
     * @param duplicated duplicated records; null if they cannot be attributed to one fault, or if the audit did not
     *     look for them
     */
    public record Effect(
            @Nullable Double longestGapSeconds,
            @Nullable Double throughputBackSeconds,
            int underReplicated,
            @Nullable Double isrFullSeconds,
            TrialResult.Errors errors,
            @Nullable Long worstResponseMicros,
            @Nullable Long lost,
            @Nullable Long duplicated) {
        public Effect {
            errors = errors == null ? new TrialResult.Errors(0, Map.of()) : errors;
        }
    }

    /**
     * Partitions without an acknowledgment for at least half a second, measured from the last acknowledgment before the
     * silence to the first one after it. A partition that was already silent for half of the 10 s before the first
     * fault counts only if it is silent for at least twice its longest gap in that time.
     * @param partitions number of silent partitions
     * @param of number of all partitions
     * @param longestSeconds longest silence; null without silent partitions
     * @param medianSeconds median over these partitions of the longest silence of each; null without silent partitions
     * @param overSeconds time from the request until all of them had an acknowledgment again; null without silent
     *     partitions, or if a partition was silent until the end
     * @param longestAppendSeconds longest time between two appends of acknowledged records on such a partition; shorter
     *     than the silence, because acknowledgments also wait for in-sync replicas; null if no time of at least half a
     *     second is known
     */
    public record Silenced(
            int partitions,
            int of,
            @Nullable Double longestSeconds,
            @Nullable Double medianSeconds,
            @Nullable Double overSeconds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double longestAppendSeconds) {
        Silenced withAppends(Silenced appends) {
            return new Silenced(partitions, of, longestSeconds, medianSeconds, overSeconds, appends.longestSeconds());
        }
    }

    /**
     * Response times of records acknowledged around the fault, at a resolution of one second; null without such
     * records.
     * @param before in the five seconds before the first fault of the trial; null without acknowledgments
     * @param during from the request until the fault was over and throughput restored, or until the next request; null
     *     without acknowledgments
     * @param after from the end of {@code during} until the next request, or the end of the load; null without
     *     acknowledgments
     * @param steadyBefore whether the load was steady before the first fault; null with too few seconds to decide
     */
    public record Response(
            @Nullable Around before,
            @Nullable Around during,
            @Nullable Around after,
            @Nullable Boolean steadyBefore) {}

    /**
     * Response times in microseconds.
     *
     * @param p50 median; null where fewer than ten samples are above it
     * @param p99 99th percentile; null where fewer than ten samples are above it
     */
    public record Around(@Nullable Long p50, @Nullable Long p99, Long max) {}

    /**
     * Cost of the rebalances after the fault. A partition is silent from the last poll that returned its records before
     * the assignment until the first such poll after it.
     *
     * @param partitions partitions assigned, including those that stayed with their member
     * @param longestSeconds longest silence of a partition
     * @param medianSeconds median over partitions of the total silence of each
     * @param silentSeconds total silence of all partitions
     * @param readAgain records read more than once
     * @param stableSeconds time from the request until the last assignment of a partition
     * @param coordinatorSeconds time for which the coordinator reported an unstable group, to within 20 ms
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
