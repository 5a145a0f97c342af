package io.plimsoll.fleet;

import io.plimsoll.fleet.FleetMessage.Prepared;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.Producers;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.run.TrialOutcome;
import io.plimsoll.run.Worker.LoadLimits;
import io.plimsoll.run.WorkerBarrier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The state of each agent of one trial: prepared, done producing, ended. Confined to the trial's thread. */
final class AgentAnswers {
    /** Each by name of the agent. */
    final Map<String, Prepared> prepared = new HashMap<>();

    final Map<String, WorkerBarrier.Produced> produced = new HashMap<>();
    final Map<String, TrialOutcome> outcomes = new TreeMap<>();
    final SpreadDeliveries deliveries = new SpreadDeliveries();

    List<SelfWarmup> selfWarmups() {
        return prepared.values().stream()
                .flatMap(ready -> ready.selfWarmups().stream())
                .sorted(Comparator.comparing(SelfWarmup::worker))
                .toList();
    }

    LoadLimits limits(TrialPlacement placement) {
        Map<String, LoadLimits> said = new HashMap<>();
        prepared.forEach((name, ready) -> said.put(name, ready.limits()));
        return placement.together(said);
    }

    boolean haveProduced(Collection<RemoteAgent> agents) {
        return agents.stream().allMatch(agent -> produced.containsKey(agent.name()));
    }

    WorkerBarrier.Produced produced() {
        return sum(produced.values());
    }

    /**
     * All outcomes as one.
     *
     * @param heardOfAll false if an agent was lost or is missing: the last reads of its members are unknown
     * @param stopped whether the trial was stopped
     */
    TrialOutcome merged(AuditTrail trail, boolean heardOfAll, boolean stopped) {
        Map<String, Long> consumed = new HashMap<>();
        List<Producers.ClientShare> shares = new ArrayList<>();
        List<GroupDelivery> read = new ArrayList<>(heardOfAll ? deliveries.all(trail) : List.of());
        Map<String, Double> groups = new HashMap<>();
        List<Double> opened = new ArrayList<>();
        double measured = 0;
        double consuming = 0;
        boolean complete = heardOfAll && !stopped;
        for (Map.Entry<String, TrialOutcome> each : outcomes.entrySet()) {
            TrialOutcome o = each.getValue();
            add(consumed, o.consumed());
            o.producers().forEach(share -> shares.add(outcomes.size() == 1 ? share : of(each.getKey(), share)));
            read.addAll(o.deliveries());
            opened.add(o.backlogOpenedSeconds());
            measured = Math.max(measured, o.measuredSeconds());
            consuming = Math.max(consuming, o.consumeSeconds());
            o.groupSeconds().forEach((group, seconds) -> groups.merge(group, seconds, Math::max));
            complete &= o.complete();
        }
        Double first =
                opened.stream().filter(Objects::nonNull).min(Double::compare).orElse(null);
        WorkerBarrier.Produced all =
                sum(outcomes.values().stream().map(TrialOutcome::produced).toList());
        return new TrialOutcome(all, consumed, measured, consuming, groups, complete, shares, first, read);
    }

    private static Producers.ClientShare of(String agent, Producers.ClientShare s) {
        String name = agent + ": " + s.name();
        return new Producers.ClientShare(
                name, s.clients(), s.records(), s.bytes(), s.arrived(), s.arrivedBytes(), s.seconds());
    }

    private static WorkerBarrier.Produced sum(Collection<WorkerBarrier.Produced> of) {
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
