package io.plimsoll.run;

import io.plimsoll.measure.AckPulse;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.result.TimelineEvent;
import java.util.function.Consumer;

/** Lets faults and observation begin with the load, and passes on what the worker says. */
record FaultingListener(
        String trial, Consumer<TrialClock> begin, Consumer<TimelineEvent> timeline, Consumer<Snapshot> snapshots)
        implements Worker.Listener {
    @Override
    public void started(TrialClock clock) {
        begin.accept(clock);
    }

    @Override
    public void acknowledged(AckPulse pulse) {
        timeline.accept(new TimelineEvent.Acknowledged(trial, pulse));
    }

    @Override
    public void snapshot(Snapshot snapshot) {
        snapshots.accept(snapshot);
    }
}
