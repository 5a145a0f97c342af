package io.plimsoll.cluster;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.common.TopicPartition;

/** Log directories of brokers, as far as reported. Thread-safe; does not close the admin client. */
public record LogDirs(Admin admin, Collection<Integer> brokers) {
    private static final long LIMIT_SECONDS = 10;

    /** Log directory paths of all brokers; empty if not reported. */
    public Set<String> paths() {
        return descriptions().stream().flatMap(d -> d.keySet().stream()).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Smallest number of writable bytes of any log directory, excluding the reserve (a fraction of each disk); negative
     * if the reserve is in use. Empty if not reported (before Kafka 3.3, without DESCRIBE permission) or, with {@code
     * all}, if any broker does not report.
     */
    public OptionalLong leastRoomBytes(double reserve, boolean all) {
        var answers = descriptions();
        return answers.stream()
                .filter(any -> !all || answers.size() == brokers.size())
                .map(Map::values)
                .flatMap(Collection::stream)
                .filter(d -> d.usableBytes().isPresent() && d.totalBytes().isPresent())
                .mapToLong(d -> d.usableBytes().getAsLong()
                        - Math.round(reserve * d.totalBytes().getAsLong()))
                .min();
    }

    List<Path> replicaDirectories(Collection<String> topics) {
        return descriptions().stream()
                .flatMap(directories -> directories.entrySet().stream())
                .flatMap(directory -> directory.getValue().replicaInfos().keySet().stream()
                        .filter(partition -> topics.contains(partition.topic()))
                        .map(partition -> Path.of(directory.getKey(), partition.toString())))
                .toList();
    }

    /** Size in bytes of the largest replica of each partition of these topics. */
    static Map<TopicPartition, Long> largest(
            Collection<Map<String, LogDirDescription>> brokers, Collection<String> of) {
        Set<String> topics = Set.copyOf(of);
        Map<TopicPartition, Long> sizes = new HashMap<>();
        brokers.forEach(dirs -> dirs.values().forEach(dir -> dir.replicaInfos().forEach((partition, replica) -> {
            if (topics.contains(partition.topic())) {
                sizes.merge(partition, replica.size(), Math::max);
            }
        })));
        return sizes;
    }

    /** Partitions with replicas on a failed disk, with the brokers of their remaining replicas. */
    public Map<TopicPartition, List<Integer>> survivingReplicas(Map<String, Map<Integer, List<Integer>>> copies) {
        Map<TopicPartition, List<Integer>> survivingReplicas = new HashMap<>();
        byBroker().forEach((broker, directories) -> {
            if (directories.values().stream().anyMatch(d -> d.error() != null)) {
                Set<TopicPartition> held = directories.values().stream()
                        .flatMap(d -> d.replicaInfos().keySet().stream())
                        .collect(Collectors.toSet());
                copies.forEach((topic, partitions) -> partitions.forEach((number, brokers) -> {
                    TopicPartition partition = new TopicPartition(topic, number);
                    if (brokers.contains(broker) && !held.contains(partition)) {
                        survivingReplicas.put(
                                partition,
                                survivingReplicas.getOrDefault(partition, brokers).stream()
                                        .filter(id -> !id.equals(broker))
                                        .toList());
                    }
                }));
            }
        });
        return survivingReplicas;
    }

    /** Log directories of each broker; empty if not reported. */
    private Collection<Map<String, LogDirDescription>> descriptions() {
        return byBroker().values();
    }

    private Map<Integer, Map<String, LogDirDescription>> byBroker() {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        Map<Integer, Map<String, LogDirDescription>> answers = new HashMap<>();
        for (var answer : admin.describeLogDirs(brokers).descriptions().entrySet()) {
            try {
                long left = Math.max(0, deadlineNanos - System.nanoTime());
                answers.put(answer.getKey(), answer.getValue().get(left, TimeUnit.NANOSECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Map.of();
            } catch (ExecutionException | TimeoutException e) {
                // Another broker can respond; a stopped broker does not affect the disks of other brokers.
            }
        }
        return answers;
    }
}
