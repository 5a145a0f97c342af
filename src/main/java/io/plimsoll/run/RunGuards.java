package io.plimsoll.run;

import io.plimsoll.cluster.Probe;
import io.plimsoll.run.guards.DiskGuard;
import io.plimsoll.run.guards.FigureGuard;
import io.plimsoll.run.guards.Guard;
import io.plimsoll.run.guards.GuardWatch;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.run.guards.ProbeGuard;
import io.plimsoll.run.guards.ReplicaGuard;
import io.plimsoll.run.guards.ThrottleGuard;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.ScenarioKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/** Selects the guards of a run: the default ones for shared clusters, plus the requested ones. */
final class RunGuards {
    private static final int MOST_PARTITIONS = 12;
    private static final int MOST_REPLICAS = 3;
    private static final String PROBE_RETENTION_MILLIS = "600000";
    private static final Check IDLE = CheckParser.parse("broker.handlerIdle > 10%");

    private RunGuards() {}

    /**
     * Creates the guards without starting them.
     *
     * @param made receives the topics created for the guards
     */
    static GuardWatch of(
            RunRequest request,
            ClusterSession cluster,
            RunTopics topics,
            Consumer<Set<String>> made,
            GuardWatch.Brake brake) {
        LoadLimits limits = request.limits();
        List<Guard> guards = new ArrayList<>();
        List<Check> asked = new ArrayList<>(limits.guards());
        asked.addAll(request.plan().trials().get(0).scenario().get(ScenarioKeys.GUARDS));
        List<Check> probed = asked.stream().filter(RunGuards::isProbe).toList();
        if (!cluster.isOwn()) {
            guards.add(new DiskGuard(cluster.logDirs(), limits.diskReserve()));
            guards.add(new ReplicaGuard(cluster.roles(), () -> cluster.topics().names(true), () -> cluster.outage()
                    .brokers()));
            boolean observed = !request.sources().isEmpty();
            if (observed) {
                guards.add(new ThrottleGuard());
            }
            if (observed && asked.stream().noneMatch(c -> c.figure().equals(IDLE.figure()))) {
                guards.add(new FigureGuard(IDLE));
            }
        }
        asked.stream().filter(c -> !isProbe(c)).forEach(c -> guards.add(new FigureGuard(c)));
        if (!probed.isEmpty()) {
            guards.add(new ProbeGuard(probed, () -> probe(cluster, topics, made)));
        }
        return new GuardWatch(guards, limits, brake);
    }

    private static boolean isProbe(Check check) {
        return check.figure().startsWith(ProbeGuard.PREFIX);
    }

    private static Probe probe(ClusterSession cluster, RunTopics topics, Consumer<Set<String>> made) {
        int brokers = cluster.brokerIds().size();
        int partitions = Math.min(MOST_PARTITIONS, brokers);
        String name = topics.tagged("probe");
        topics.create(
                null,
                List.of(new NewTopic(name, partitions, (short) Math.min(MOST_REPLICAS, brokers))
                        .configs(Map.of(TopicConfig.RETENTION_MS_CONFIG, PROBE_RETENTION_MILLIS))));
        made.accept(Set.of(name));
        return new Probe(cluster.connection(), name, partitions);
    }
}
