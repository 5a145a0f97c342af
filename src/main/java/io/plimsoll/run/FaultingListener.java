package io.plimsoll.run;

import io.plimsoll.measure.AckLooks;
import io.plimsoll.measure.AckPulse.AckPulses;
import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.WorkerResult;
import java.util.List;
import java.util.function.Consumer;

/** Lets faults and observation begin with the load, and passes on what the worker says. */
record FaultingListener(
        String trial,
        Consumer<TrialClock> begin,
        Consumer<TimelineEvent> timeline,
        AckPulses pulses,
        Consumer<Snapshot> snapshots,
        Consumer<Observation> observations)
        implements Worker.Listener {
    @Override
    public void started(TrialClock clock) {
        begin.accept(clock);
    }

    @Override
    public void acknowledged(AckLooks looks) {
        timeline.accept(new TimelineEvent.Acknowledged(trial, pulses.of(looks)));
    }

    @Override
    public void handedOver(List<HandOver> handOvers) {
        if (!handOvers.isEmpty()) {
            timeline.accept(new TimelineEvent.HandedOver(trial, handOvers));
        }
    }

    @Override
    public void observed(Observation seen) {
        observations.accept(seen);
    }

    @Override
    public void workers(List<WorkerResult> workers) {
        timeline.accept(new TimelineEvent.WorkersMeasured(trial, workers));
    }

    @Override
    public void snapshot(Snapshot snapshot) {
        snapshots.accept(snapshot);
    }
}
