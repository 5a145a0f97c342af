/**
 * Names the cause that limited a trial, with its evidence. Pure: values in, values out.
 *
 * <p><b>Idea.</b> A saturated resource leaves traces in several figures at once, and the same figure has several
 * explanations: requests stay in flight because the broker is slow, because the network distance is large, or because
 * the client does not read responses. Each possible cause is therefore one {@code Rule}: the figures it reads, a score,
 * a finding, and the conditions ({@code Confounder}) that explain its figures differently and lower the score. All
 * rules judge every trial; the cause with the highest score is named first, and causes below 0.3 are not named.
 *
 * <p><b>Model.</b> A score from 0 to 1 is utilization × share of the time explained × degree to which producers were
 * held back. By Little's law, requests in flight are requests per second × time per request: with all allowed requests
 * in flight, the time decides, and {@code StageSum} splits it into stages that add up to the response time. If the load
 * was sustained and a latency check failed ({@code StageSum.Asked}), a rule scores by the share of its stages in that
 * latency instead; {@code StallRules} compares the records beyond the limit with the slow moments of the trial. A figure
 * without a source is null; rules that need it are listed as not available and never guess.
 *
 * <p><b>Proof.</b> A finding is a hypothesis. A {@code Perturbation} changes one factor of the load that would remove
 * the cause; if the ceiling moves, the cause is proved. A {@code Remedy} is advice that Plimsoll does not try on the
 * cluster.
 *
 * <p><b>Where to find it.</b> {@link io.plimsoll.diagnose.Diagnosis} is the entry point. The rules are in {@code
 * FailureRules}, {@code StallRules}, {@code ClientRules}, {@code GeneratorRules}, {@code NetworkRules}, {@code
 * OthersRules}, {@code BrokerRules}, {@code ConsumerRules} and {@code ObservedGroup}, in order of precedence; their
 * figures come from {@code TrialEvidence}, {@code BrokerEvidence} and {@code ReadEvidence}. {@code HostBounds} compares
 * a load with the measured throughput of this host.
 */
@NullMarked
package io.plimsoll.diagnose;

import org.jspecify.annotations.NullMarked;
