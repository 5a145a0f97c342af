package io.plimsoll.run;

import io.plimsoll.load.GroupMember;
import io.plimsoll.measure.AckLooks;
import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.result.WorkerResult;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A process that generates load, reached only through messages: this process or a remote agent. It runs one trial at a
 * time: {@link #prepare}, then {@link #run}; any thread can call {@link #stop} at any time.
 */
public interface Worker {

    /** @throws io.plimsoll.PlimsollException if clients do not become ready; all clients are then closed */
    void prepare(TrialAssignment assignment);

    /** The self warm-up of each process during {@link #prepare}; empty if not requested. */
    default List<SelfWarmup> selfWarmups() {
        return List.of();
    }

    /** Starts the clock; returns after the trial, when all clients are closed. */
    TrialOutcome run(Listener listener);

    /** Ends the trial; {@link #run} returns within a few seconds. */
    void stop();

    /** Lead time that {@link #endWarmup} needs to reach all load processes. */
    Duration notice();

    /**
     * Ends an adaptive warm-up at this time. Usable by any thread during the trial.
     * @param nanos time since the trial's start, at least {@link #notice} from now
     */
    void endWarmup(long nanos);

    /** Halves the rate from this time on; arguments and threads as for {@link #endWarmup}. */
    void halve(long nanos);

    /** Limits the wait for late acknowledgments and for consumers that read during the load. Call before {@link #run}. */
    void limitDrain(Duration limit);

    /** Upper bounds of the worker's producers and consumers, from calibrations of this host; valid after {@link #prepare}. */
    LoadLimits limits(Calibrations known);

    /** Limits of producers and of consumers. */
    record LoadLimits(
            @Nullable CalibratedLimit producers, @Nullable CalibratedLimit consumers) {
        public static final LoadLimits UNKNOWN = new LoadLimits(null, null);
    }

    /**
     * Members of consumer groups in this process, for one entry of {@code consumers} or, if empty, for all. Usable by
     * any thread.
     */
    List<GroupMember> members(OptionalInt entry);

    /** Receives snapshots about once a second, and a final snapshot; called by one thread at a time. */
    interface Listener {
        void snapshot(Snapshot snapshot);

        /** Called when the load starts, before the first snapshot. */
        default void started(TrialClock clock) {}

        /** Receives an observation of a remote load host. */
        default void observed(Observation seen) {}

        /** Receives events at the load generator and its hosts that can delay records; called by several threads. */
        default void happened(List<Incident> incidents) {}

        /** Receives the results of each worker, if several, before {@link #run} returns or fails. */
        default void workers(List<WorkerResult> workers) {}

        /** Receives the partition handovers since the trial's start. Called once, at the end; not called for fleets. */
        default void handedOver(List<HandOver> handOvers) {}

        /** Receives acknowledgment progress about once a second, in trials with faults; called by one thread. */
        default void acknowledged(AckLooks looks) {}
    }
}
