package io.plimsoll.run;

import io.plimsoll.result.Fold;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The parts that all trials of a run share.
 *
 * @param runId random; the identities of its records are made from it
 * @param kept topics that one trial leaves to the next; whoever takes them has to leave or delete them
 * @param observation of the brokers and the host, which goes on from trial to trial
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
     * Where a run's record is kept.
     *
     * @param timeline takes events from any thread
     */
    record Recording(RunDirectory directory, Fold fold, Consumer<TimelineEvent> timeline, Progress progress) {}
}
