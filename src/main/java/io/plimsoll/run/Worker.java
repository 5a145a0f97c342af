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

/**
 * A process that generates load, reached only through messages: this process or a remote agent. It runs one trial at a
 * time: {@link #prepare}, then {@link #run}; {@link #stop} can come at any time from any thread.
 */
public interface Worker {

    /** @throws io.plimsoll.PlimsollException if clients do not get ready; all are closed then */
    void prepare(TrialAssignment assignment);

    /** The self warm-up of each process during {@link #prepare}; empty if not requested. */
    default List<SelfWarmup> selfWarmups() {
        return List.of();
    }

    /** Starts the clock and returns after the trial, with all clients closed. */
    TrialOutcome run(Listener listener);

    /** Ends the trial; {@link #run} returns within a few seconds. */
    void stop();

    /** Lead time that {@link #endWarmup} needs to reach all load processes. */
    Duration notice();

    /**
     * Ends an adaptive warm-up at this time. Any thread, during the trial.
     *
     * @param nanos since the trial's start, at least {@link #notice} from now
     */
    void endWarmup(long nanos);

    /** Halves the rate from this time on, as {@link #endWarmup}. Any thread, during the trial. */
    void halve(long nanos);

    /** Limits the wait for late acknowledgments and concurrent consumers. Call before {@link #run}. */
    void limitDrain(Duration limit);

    /** Upper bounds of its producers and consumers, from calibrations of this host; valid after {@link #prepare}. */
    LoadLimits limits(Calibrations known);

    /** Null if unknown. */
    record LoadLimits(CalibratedLimit producers, CalibratedLimit consumers) {
        public static final LoadLimits UNKNOWN = new LoadLimits(null, null);
    }

    /** Members in this process of the groups of one entry of {@code consumers}, or of all. Any thread. */
    List<GroupMember> members(OptionalInt entry);

    /** Receives snapshots about once a second and a final one; called by one thread at a time. */
    interface Listener {
        void snapshot(Snapshot snapshot);

        /** The load starts; called before the first snapshot. */
        default void started(TrialClock clock) {}

        /** Receives an observation of a remote load host. */
        default void observed(Observation seen) {}

        /** Receives events that can delay records, at the load generator and its hosts; called by several threads. */
        default void happened(List<Incident> incidents) {}

        /** With several workers, receives the results of each before {@link #run} returns or fails. */
        default void workers(List<WorkerResult> workers) {}

        /** Receives partition handovers since the trial's start; once, at the end, and not from fleets. */
        default void handedOver(List<HandOver> handOvers) {}

        /** Receives acknowledgment progress about once a second in trials with faults; called by one thread. */
        default void acknowledged(AckLooks looks) {}
    }
}
