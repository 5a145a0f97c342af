package io.plimsoll.run;

import io.plimsoll.load.GroupMember;
import io.plimsoll.measure.AckLooks;
import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.result.CalibratedLimit;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.result.WorkerResult;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * A process that generates load, reached only through messages: this one, or an agent on another machine. One trial at
 * a time, in the order {@link #prepare}, {@link #run}; {@link #stop} may come at any time from any thread.
 */
public interface Worker {

    /**
     * Creates producers and consumers and makes them ready.
     *
     * @throws io.plimsoll.PlimsollException if that is not possible; nothing stays behind then
     */
    void prepare(TrialAssignment assignment);

    /** What each process did in {@link #prepare} to have its own code compiled; empty if that was not asked. */
    default List<SelfWarmup> selfWarmups() {
        return List.of();
    }

    /** Starts the clock and returns when the trial is over and everything is closed. */
    TrialOutcome run(Listener listener);

    /** Ends the trial as soon as possible; {@link #run} returns within a few seconds. */
    void stop();

    /** The time from now on that it takes until {@link #endWarmup} is known to everything that makes the load. */
    Duration notice();

    /**
     * The warm-up, which lasts until the load is steady, ends then. Any thread, while the trial runs.
     *
     * @param nanos after the trial's start, by {@link #notice} from now or later
     */
    void endWarmup(long nanos);

    /**
     * The load goes on with half its rate from then on. Any thread, while the trial runs.
     *
     * @param nanos as for {@link #endWarmup}
     */
    void halve(long nanos);

    /** Waits no longer than this for late acknowledgements, and for consumers that read along; before {@link #run}. */
    void limitDrain(Duration limit);

    /**
     * The most that its producers and its consumers can do; known after {@link #prepare}.
     *
     * @param known of this host
     */
    LoadLimits limits(Calibrations known);

    /** Each null if unknown. */
    record LoadLimits(CalibratedLimit producers, CalibratedLimit consumers) {
        public static final LoadLimits UNKNOWN = new LoadLimits(null, null);
    }

    /** The members of the groups of one entry of {@code consumers}, or of all, that are in this process. Any thread. */
    List<GroupMember> members(OptionalInt entry);

    /** Receives snapshots about once a second, and one at the very end; called by one thread at a time. */
    interface Listener {
        void snapshot(Snapshot snapshot);

        /** Load begins; before the first snapshot. */
        default void started(TrialClock clock) {}

        /** Takes what a host of the load did, unless it is this one. */
        default void observed(Observation seen) {}

        /** Takes what each worker of several did; before {@link #run} returns or fails. */
        default void workers(List<WorkerResult> workers) {}

        /** When partitions went from member to member, after the trial's start; once, at its end, and not of a fleet. */
        default void handedOver(List<HandOver> handOvers) {}

        /** When acknowledgements came, about once a second, in trials with faults; by one thread. */
        default void acknowledged(AckLooks looks) {}
    }
}
