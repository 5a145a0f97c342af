package io.plimsoll.run;

import io.plimsoll.measure.AckPulse;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.run.faults.FaultInjector;
import java.util.function.Consumer;

/** Lets faults begin with the load, and passes on what the worker says. */
record FaultingListener(
        String trial, FaultInjector faults, Consumer<TimelineEvent> timeline, Consumer<Snapshot> snapshots)
        implements Worker.Listener {
    @Override
    public void started(TrialClock clock) {
        faults.start(clock);
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
