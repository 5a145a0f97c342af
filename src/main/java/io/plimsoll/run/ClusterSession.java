package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.ClusterDescription;
import io.plimsoll.cluster.Groups;
import io.plimsoll.cluster.LogDirs;
import io.plimsoll.cluster.Reassignment;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabLogins;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.faults.Fault;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.run.faults.FaultInjector.StandingFaults;
import io.plimsoll.run.guards.ForeignCluster;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The cluster of a run: the user's cluster, or the lab of the current trial. Only the run's thread calls {@link
 * #moveTo}, between trials.
 */
final class ClusterSession implements AutoCloseable {
    private final RunRequest request;
    private final Interruption interruption;
    private LabSpec spec;
    private boolean used;
    private boolean spent;
    private volatile Opened opened;
    private volatile Outage outage = Outage.NONE;
    /** Ids of the topics that the run created, by name. After a topic is recreated, the name alone is ambiguous. */
    final Map<String, Uuid> made = new ConcurrentHashMap<>();
    /** Brokers that a fault has affected, even if the fault is over, because their replicas catch up later. */
    final Set<Integer> disturbed = ConcurrentHashMap.newKeySet();

    private record Opened(
            Optional<Lab> lab, ClusterConnection connection, ClusterDescription description, Admin admin) {}

    ClusterSession(RunRequest request, Interruption interruption) {
        this.request = request;
        this.interruption = interruption;
        this.spec = request.plan().trials().get(0).scenario().lab();
        this.opened = open(request, interruption, spec);
    }

    private static Opened open(RunRequest request, Interruption interruption, LabSpec wanted) {
        Optional<Lab> lab = request.cluster().isPresent()
                ? Optional.empty()
                : Optional.of(interruption.during(() -> Lab.start(request.labOptions(wanted))));
        try {
            ClusterConnection connection = request.cluster()
                    .orElseGet(() -> new ClusterConnection(
                            lab.get().bootstrapServers(),
                            lab.get().logins().map(LabLogins::client).orElse(Map.of())));
            ClusterDescription description = interruption.during(connection::check);
            Exit.USAGE.when(
                    lab.isPresent() && !lab.get().canBe(description.clusterId()),
                    "run.labElsewhere",
                    description.clusterId());
            return new Opened(lab, connection, description, connection.admin());
        } catch (RuntimeException e) {
            lab.ifPresent(Lab::close);
            throw e;
        }
    }

    /**
     * Replaces the lab if the trial describes another one or an earlier trial changed it permanently. When labs are
     * compared, every trial gets a fresh one, so that no warm lab competes with a cold one.
     *
     * @return whether the lab was replaced
     */
    boolean moveTo(Scenario scenario, Runnable starting) {
        boolean same = spec.equals(scenario.lab()) && !spent && !(request.plan().comparesLabs() && used);
        spent = scenario.faults().stream().anyMatch(fault -> Fault.of(fault).has(Trait.CHANGES_LAB));
        used = true;
        if (!isLab() || same) {
            return false;
        }
        starting.run();
        closeLab();
        made.clear();
        opened = open(request, interruption, scenario.lab());
        spec = scenario.lab();
        return true;
    }

    Optional<Lab> lab() {
        return opened.lab();
    }

    ClusterConnection connection() {
        return opened.connection();
    }

    ClusterDescription description() {
        return opened.description();
    }

    Admin admin() {
        return opened.admin();
    }

    List<Integer> brokerIds() {
        return description().ids();
    }

    /** Ids of the brokers that should be running. */
    List<Integer> presentIds() {
        return brokerIds().stream().filter(id -> !outage.brokers().contains(id)).toList();
    }

    Outage outage() {
        return outage;
    }

    /** Whether replicas on this broker can be out of sync because of the run's faults. Usable by any thread. */
    boolean isDisturbed(int broker) {
        return disturbed.contains(broker) || outage.brokers().contains(broker);
    }

    void outage(Outage now) {
        outage = now;
    }

    void restore() {
        Outage over = outage;
        outage = Outage.NONE;
        over.faults().end();
    }

    /** Creates topics with the replica placement that applied before the outage. */
    void create(List<TopicSpec> wanted, Consumer<List<NewTopic>> making) {
        making.accept(wanted.stream().map(t -> outage.topic(t, brokerIds())).toList());
        outage.thin(
                new Reassignment(admin(), presentIds()),
                wanted.stream().map(TopicSpec::name).toList());
    }

    Topics topics() {
        return new Topics(admin());
    }

    LogDirs logDirs() {
        return new LogDirs(admin(), presentIds());
    }

    Groups groups() {
        return new Groups(admin());
    }

    boolean comparesLabs() {
        return request.cluster().isEmpty() && request.labs().size() > 1;
    }

    /** The trials that run on this cluster or lab. */
    Plan plan() {
        return request.plan()
                .only(request.plan().trials().stream()
                        .filter(t -> !isLab() || t.scenario().lab().equals(spec))
                        .map(Plan.Trial::name)
                        .toList());
    }

    List<Sentence> warnings() {
        List<Sentence> warnings = new ArrayList<>();
        lab().ifPresent(l -> l.unknownConfig().forEach(name -> warnings.add(Sentence.of("run.unknownProperty", name))));
        List<Integer> there = brokerIds();
        List<Integer> unknown = request.sources().stream()
                .map(BrokerSource::broker)
                .filter(id -> !there.contains(id))
                .distinct()
                .toList();
        if (!unknown.isEmpty()) {
            // The id is wrong, or the broker is temporarily down.
            warnings.add(Sentence.of(
                    "run.unknownBrokers",
                    unknown.toString(),
                    there.stream().sorted().toList().toString()));
        }
        return warnings;
    }

    BrokerRoles roles() {
        return new BrokerRoles(admin());
    }

    boolean isLab() {
        return lab().isPresent();
    }

    /** Whether the cluster is a lab or a null broker, which hold no third-party data. */
    boolean isOwn() {
        return isLab() || Lab.isOwn(description().clusterId());
    }

    ForeignCluster guarded() {
        return new ForeignCluster(
                logDirs(), groups(), topics(), description().brokers().size());
    }

    RunResult.Cluster forResult() {
        return new RunResult.Cluster(
                description().clusterId(),
                isLab() ? String.join(", ", request.labVersions()) : null,
                description().brokers().stream()
                        .map(b -> new RunResult.Broker(
                                b.id(), b.host(), b.port(), b.rack().isEmpty() ? null : b.rack()))
                        .toList(),
                isLab());
    }

    /** Copies the logs of a lab's brokers; does nothing for other clusters. */
    void keepLogs(Path directory) {
        lab().ifPresent(l -> l.keepLogs(directory));
    }

    @Override
    public void close() {
        try {
            // A lab is removed as a whole, including its topics.
            if (!isLab()) {
                restore();
            }
        } finally {
            closeLab();
        }
    }

    private void closeLab() {
        outage = Outage.NONE;
        admin().close(Duration.ofSeconds(2));
        lab().ifPresent(Lab::close);
    }

    /**
     * Brokers that are down during a search, and the replica placement before the outage.
     * @param faults faults that stopped them; empty if they are about to stop or were already down
     * @param copies brokers of each partition by topic; empty for the cluster's own placement
     * @param survivingReplicas remaining replicas of partitions with a replica on the lost disk
     */
    record Outage(
            List<Integer> brokers,
            StandingFaults faults,
            Map<String, Map<Integer, List<Integer>>> copies,
            Map<TopicPartition, List<Integer>> survivingReplicas) {
        static final Outage NONE = of(List.of());

        static Outage of(List<Integer> brokers) {
            return new Outage(brokers, StandingFaults.NONE, Map.of(), Map.of());
        }

        Outage with(StandingFaults happened, Map<String, Map<Integer, List<Integer>>> before, LogDirs disks) {
            return new Outage(brokers, happened, before, disks.survivingReplicas(before));
        }

        /** Emulates the lost disk by removing a replica, because Kafka creates topics only with a uniform replication factor. */
        void thin(Reassignment cluster, Collection<String> topics) {
            Map<TopicPartition, List<Integer>> fewer = new HashMap<>(survivingReplicas);
            fewer.keySet().removeIf(partition -> !topics.contains(partition.topic()));
            if (!fewer.isEmpty()) {
                cluster.start(fewer, 0);
            }
        }

        /**
         * A new topic with the placement that applied before the outage, so replicas on stopped brokers are offline. A
         * normal placement would load the remaining brokers more than a real failure does.
         */
        NewTopic topic(TopicSpec spec, List<Integer> all) {
            Map<Integer, List<Integer>> before = copies.getOrDefault(spec.name(), Map.of());
            return before.size() == spec.partitions()
                    ? new NewTopic(spec.name(), before).configs(spec.config())
                    : Topics.newTopic(spec, all);
        }
    }
}
