package io.plimsoll.run;

import io.plimsoll.measure.AckPulse;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;

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

    /** Starts the clock and returns when the trial is over and everything is closed. */
    TrialOutcome run(Listener listener);

    /** Ends the trial as soon as possible; {@link #run} returns within a few seconds. */
    void stop();

    /** Receives snapshots about once a second, and one at the very end; called by one thread at a time. */
    interface Listener {
        void snapshot(Snapshot snapshot);

        /** Load begins; before the first snapshot. */
        default void started(TrialClock clock) {}

        /** When acknowledgements came, about once a second, in trials with faults; by a thread of its own. */
        default void acknowledged(AckPulse pulse) {}
    }
}
