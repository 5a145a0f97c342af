package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterDescription;
import io.plimsoll.lab.LabRehearsal;
import io.plimsoll.run.CeilingRequest.Without;
import io.plimsoll.run.faults.ExecFault;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.TopicSpec;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The brokers to stop for a search, or the broker to lose a disk.
 *
 * @param name such as {@code broker 3}
 * @param brokers their ids
 * @param disk whether only the last disk of each is lost
 * @param away whether they are already down, so that no comparison is possible
 */
record OutagePlan(String name, List<Integer> brokers, boolean disk, boolean away) {

    /**
     * @throws PlimsollException {@link Exit#USAGE} if these brokers do not exist, cannot be stopped, or hold all
     *     replicas of a topic
     */
    static OutagePlan of(Without wanted, ClusterSession cluster) {
        Exit.USAGE.when(cluster.comparesLabs(), "run.outage.labs");
        OutagePlan plan = wanted.kind() == Without.Kind.ZONE ? zone(wanted, cluster) : broker(wanted, cluster);
        plan.checkTopics(cluster);
        if (plan.away) {
            return plan;
        }
        boolean reached = cluster.isLab() || wanted.exec().isPresent();
        Exit.USAGE.when(!reached, plan.disk ? "run.outage.onlyInLabs" : "run.outage.notReached", plan.name);
        if (plan.disk) {
            new LabRehearsal(cluster.lab().orElseThrow()).requireSpareDisk(plan.brokers.get(0));
            return plan;
        }
        Exit.USAGE.when(
                cluster.lab().filter(lab -> !lab.hasQuorumWithout(plan.brokers)).isPresent(),
                "run.outage.noQuorum",
                plan.name);
        return plan;
    }

    private static OutagePlan broker(Without wanted, ClusterSession cluster) {
        List<Integer> there = cluster.brokerIds();
        int id = wanted.which().equals("any")
                ? there.stream().max(Comparator.naturalOrder()).orElseThrow()
                : Integer.parseInt(wanted.which());
        boolean away = !there.contains(id);
        Exit.USAGE.when(away && cluster.isLab(), "run.noSuchBroker", id, there.toString());
        boolean disk = wanted.kind() == Without.Kind.DISK;
        return new OutagePlan((disk ? "disk of broker " : "broker ") + id, List.of(id), disk, away && !disk);
    }

    private static OutagePlan zone(Without wanted, ClusterSession cluster) {
        List<ClusterDescription.Broker> there = cluster.description().brokers();
        List<String> zones = there.stream()
                .map(ClusterDescription.Broker::rack)
                .filter(rack -> !rack.isEmpty())
                .distinct()
                .sorted()
                .toList();
        String zone = wanted.which().equals("any") && !zones.isEmpty() ? zones.get(zones.size() - 1) : wanted.which();
        Exit.USAGE.when(
                zones.size() < 2 || !zones.contains(zone),
                "run.outage.noZone",
                zone,
                zones.isEmpty() ? "–" : String.join(", ", zones));
        List<Integer> in = there.stream()
                .filter(b -> b.rack().equals(zone))
                .map(ClusterDescription.Broker::id)
                .sorted()
                .toList();
        return new OutagePlan("zone " + zone, in, false, false);
    }

    /** Stopped brokers; empty if they only lose a disk. */
    List<Integer> gone() {
        return disk ? List.of() : brokers;
    }

    /** Each topic needs a surviving replica. */
    private void checkTopics(ClusterSession cluster) {
        List<TopicSpec> specs = cluster.plan().trials().stream()
                .flatMap(t -> t.scenario().topics().stream())
                .toList();
        Set<String> existing =
                specs.stream().filter(TopicSpec::existing).map(TopicSpec::name).collect(Collectors.toSet());
        Optional<String> single = specs.stream()
                .filter(t -> !t.existing() && t.replication() < 2)
                .map(TopicSpec::name)
                .findFirst()
                .or(() -> cluster.topics().copies(existing).entrySet().stream()
                        .filter(t -> t.getValue().values().stream().anyMatch(brokers::containsAll))
                        .map(t -> t.getKey())
                        .findFirst());
        if (single.isPresent()) {
            throw Exit.USAGE.because("run.outage.oneCopy", single.get(), name);
        }
    }

    List<FaultSpec> faults(Without wanted, Duration at) {
        FaultSpec.Timing once = new FaultSpec.Timing(at, Optional.empty(), Optional.empty());
        Settings commands = wanted.exec().isEmpty()
                ? Settings.NONE
                : Settings.NONE.with(ExecFault.EXEC, wanted.exec()).with(ExecFault.UNDO, wanted.undo());
        String deed = wanted.exec().isPresent() ? "exec" : disk ? "loseDisk" : "kill";
        FaultKind kind = FaultKind.all().get(deed);
        return brokers.stream()
                .map(id -> new FaultSpec(kind, new FaultSpec.Target.Broker(id), once, commands))
                .toList();
    }
}
