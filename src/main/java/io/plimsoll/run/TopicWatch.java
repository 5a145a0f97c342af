package io.plimsoll.run;

import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.BrokerRoles.PartitionRoles;
import io.plimsoll.cluster.BrokerRoles.Replicas;
import io.plimsoll.measure.Observation;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** Watches a trial's topics by Kafka's Admin, look after look. Used by one thread. */
final class TopicWatch {
    /** Brokers walk through all of their partitions for it. */
    private static final int LOOKS_BETWEEN_SIZES = 5;

    private final BrokerRoles roles;
    private final Collection<String> topics;
    private final Collection<Integer> brokers;
    private final OptionalDouble idleRoundTripMs;
    private final long startNanos;
    private Map<TopicPartition, PartitionRoles> last = Map.of();
    private int looks;
    private boolean sizesTold = true;
    /** Null until they were asked for. */
    private Set<String> tiered;

    /**
     * @param idleRoundTripMs what a small request took before the load
     * @param startNanos of the trial, in nanoTime
     */
    TopicWatch(
            BrokerRoles roles,
            Collection<String> topics,
            Collection<Integer> brokers,
            OptionalDouble idleRoundTripMs,
            long startNanos) {
        this.roles = roles;
        this.topics = topics;
        this.brokers = brokers;
        this.idleRoundTripMs = idleRoundTripMs;
        this.startNanos = startNanos;
    }

    /** Asks once; empty if nobody answers. */
    Optional<Observation> look() {
        long from = System.nanoTime();
        Optional<Map<TopicPartition, PartitionRoles>> partitions = roles.partitions(topics);
        if (partitions.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Double> gauges = gauges(BrokerRoles.replicas(partitions.get()));
        Map<String, Double> changes = changes(last, partitions.get());
        last = partitions.get();
        return Optional.of(new Observation(
                "cluster", "admin", from - startNanos, System.nanoTime() - startNanos, changes, gauges));
    }

    private Map<String, Double> gauges(Replicas replicas) {
        Map<String, Double> gauges = new HashMap<>();
        gauges.put("underReplicated", (double) replicas.underReplicated());
        gauges.put("leaderless", (double) replicas.leaderless());
        idleRoundTripMs.ifPresent(ms -> gauges.put("idleRoundTripMs", ms));
        if (sizesTold && looks++ % LOOKS_BETWEEN_SIZES == 0) {
            remoteRecords().ifPresent(records -> gauges.put("remoteRecords", (double) records));
            OptionalLong bytes = roles.logBytes(topics, brokers);
            bytes.ifPresent(b -> gauges.put("logBytes", (double) b));
            // A cluster that does not tell once (an old one, one where this user may not ask) is not asked for ever.
            // One
            // whose broker has just died is: it does not answer the question before, either.
            sizesTold = bytes.isPresent() || replicas.underReplicated() > 0;
        }
        return gauges;
    }

    /** Only topics with a second tier are asked for. */
    private OptionalLong remoteRecords() {
        tiered = tiered == null ? roles.tiered(topics) : tiered;
        Set<TopicPartition> remote = new HashSet<>(last.keySet());
        remote.removeIf(partition -> !tiered.contains(partition.topic()));
        return remote.isEmpty() ? OptionalLong.empty() : roles.remoteRecords(remote);
    }

    /** The changes of copies and leaders between two looks; what comes and goes between them is not seen. */
    static Map<String, Double> changes(
            Map<TopicPartition, PartitionRoles> before, Map<TopicPartition, PartitionRoles> after) {
        int shrinks = 0;
        int expansions = 0;
        int leaders = 0;
        for (Map.Entry<TopicPartition, PartitionRoles> e : after.entrySet()) {
            PartitionRoles was = before.getOrDefault(e.getKey(), e.getValue());
            PartitionRoles is = e.getValue();
            shrinks += missing(is.inSync(), was.inSync());
            expansions += missing(was.inSync(), is.inSync());
            leaders += is.leader().equals(was.leader()) ? 0 : 1;
        }
        return Map.of(
                "isrShrinks", (double) shrinks,
                "isrExpansions", (double) expansions,
                "leaderChanges", (double) leaders);
    }

    private static int missing(Set<Integer> from, Set<Integer> wanted) {
        return (int) wanted.stream().filter(id -> !from.contains(id)).count();
    }
}
