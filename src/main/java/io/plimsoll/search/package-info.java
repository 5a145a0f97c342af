/**
 * Finds the highest load that a system sustains. Pure: no Kafka, clock, thread or file; the caller runs the trials and
 * reports results and durations.
 *
 * <p><b>Idea.</b> One trial cannot determine a ceiling, because trials near it contradict each other. RFC 9971
 * (MLRsearch) turns this into a classification. A load is a lower bound once enough full trials at it passed, and an
 * upper bound once enough failed; the answer is the pair of bounds, and the search ends when both are classified and
 * their gap is small enough.
 *
 * <p><b>Model.</b> {@link io.plimsoll.search.Criteria} decides whether a trial passes. {@code Evidence} collects the
 * trials at one load and classifies it: full trials count, whereas short trials only raise the number of full trials
 * required. If loads contradict each other, the lowest load that fails is the upper bound. Two goals can share the
 * trials: the load that is sustained, and the load that also meets the user's criteria.
 *
 * <p><b>Course.</b> A closed loop, or a trial at the highest load if one is set, gives a first guess. The search starts
 * at half of it, so that low loads come first, and doubles until a load fails. Short trials bisect in log space to the
 * goal width, full trials classify both bounds, a longer trial confirms the lower bound, and a few loads below it form
 * the latency curve. If the load generator fails first, or its calibrated maximum is reached, the lower bound is valid,
 * but the upper bound is not evidence about the cluster.
 *
 * <p><b>Where to find it.</b> {@link io.plimsoll.search.CeilingSearch} is the iterator, {@code GoalSearch} the search
 * for one goal, {@link io.plimsoll.search.SearchSettings} its limits, and {@link io.plimsoll.search.Answer} the result.
 */
@NullMarked
package io.plimsoll.search;

import org.jspecify.annotations.NullMarked;
