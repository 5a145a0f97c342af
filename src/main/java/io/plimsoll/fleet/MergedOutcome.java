package io.plimsoll.fleet;

import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.Producers;
import io.plimsoll.run.TrialOutcome;
import io.plimsoll.run.WorkerBarrier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes of the outcomes of several agents that of one worker. */
final class MergedOutcome {
    private MergedOutcome() {}

    /**
     * @param outcomes by the name of the agent
     * @param spread what groups did that have members on several agents
     * @param complete whether all were there to the end
     */
    static TrialOutcome of(Map<String, TrialOutcome> outcomes, List<GroupDelivery> spread, boolean complete) {
        Map<String, Long> consumed = new HashMap<>();
        List<Producers.ClientShare> shares = new ArrayList<>();
        List<GroupDelivery> deliveries = new ArrayList<>(spread);
        double measured = 0;
        double consuming = 0;
        Double opened = null;
        boolean all = complete;
        for (Map.Entry<String, TrialOutcome> each : outcomes.entrySet()) {
            TrialOutcome o = each.getValue();
            add(consumed, o.consumed());
            o.producers().forEach(share -> shares.add(outcomes.size() == 1 ? share : of(each.getKey(), share)));
            deliveries.addAll(o.deliveries());
            measured = Math.max(measured, o.measuredSeconds());
            consuming = Math.max(consuming, o.consumeSeconds());
            if (o.backlogOpenedSeconds() != null) {
                opened = opened == null ? o.backlogOpenedSeconds() : Math.min(opened, o.backlogOpenedSeconds());
            }
            all &= o.complete();
        }
        WorkerBarrier.Produced produced =
                produced(outcomes.values().stream().map(TrialOutcome::produced).toList());
        return new TrialOutcome(produced, consumed, measured, consuming, all, shares, opened, deliveries);
    }

    private static Producers.ClientShare of(String agent, Producers.ClientShare s) {
        return new Producers.ClientShare(
                agent + ": " + s.name(),
                s.clients(),
                s.records(),
                s.bytes(),
                s.arrived(),
                s.arrivedBytes(),
                s.seconds());
    }

    static WorkerBarrier.Produced produced(Collection<WorkerBarrier.Produced> of) {
        Map<String, Long> acknowledged = new HashMap<>();
        Map<String, Long> markers = new HashMap<>();
        of.forEach(p -> {
            add(acknowledged, p.acknowledged());
            add(markers, p.markers());
        });
        return new WorkerBarrier.Produced(acknowledged, markers);
    }

    private static void add(Map<String, Long> sums, Map<String, Long> more) {
        more.forEach((k, v) -> sums.merge(k, v, Long::sum));
    }
}
