package io.plimsoll.run;

import io.plimsoll.result.Fold;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Objects shared by all trials of a run.
 *
 * @param runId random; record identities contain it
 * @param kept topics passed from one trial to the next, which must pass on or delete them
 * @param observation of brokers and host across trials
 */
record RunContext(
        RunRequest request,
        long runId,
        ClusterSession cluster,
        AtomicReference<Set<String>> kept,
        KnownHost host,
        TrialObservation observation,
        Interruption interruption,
        Recording recording) {

    /**
     * The record of a run.
     *
     * @param timeline accepts events from any thread
     */
    record Recording(RunDirectory directory, Fold fold, Consumer<TimelineEvent> timeline, Progress progress) {}
}
