package io.plimsoll.watch;

import io.plimsoll.cluster.ClusterConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * Settings of a watch.
 *
 * @param layout layout of the topic, which is created if missing
 * @param slow time limit for a successful record
 * @param outage minimum time without success that counts as an outage
 * @param objective required share of successes, such as 0.999
 * @param state directory of the statistics
 */
public record WatchSettings(
        ClusterConnection connection,
        String topic,
        Layout layout,
        Load load,
        Duration slow,
        Duration outage,
        double objective,
        Path state) {
    /** Minimum size of a value in bytes: a value holds the sender, the sequence and the due time. */
    public static final int LEAST_BYTES = 40;
    /** Maximum records per second to each partition. */
    public static final double MOST_RATE = 1000;

    /**
     * Client properties that only the watch sets. With an application's values, the watch would join the application's
     * group, fence the application's member or producer, or skip records.
     */
    private static final Set<String> OWN = Set.of(
            "group.id",
            "group.instance.id",
            "auto.offset.reset",
            "enable.auto.commit",
            "allow.auto.create.topics",
            "transactional.id");

    /**
     * Layout of the topic.
     *
     * @param partitions minimum number; each broker leads at least one
     * @param copies replicas per partition, at most one per broker
     * @param config overrides the defaults of a watch
     */
    public record Layout(int partitions, int copies, Map<String, String> config) {
        public static final Layout DEFAULT = new Layout(1, 3, Map.of());
    }

    /**
     * The load of a watch.
     *
     * @param rate records per second to each partition
     * @param recordBytes size of a value
     * @param maxBytes maximum bytes per second to all partitions, before replication; lowers the rate on large clusters
     */
    public record Load(
            double rate, int recordBytes, double maxBytes, Map<String, String> producing, Map<String, String> reading) {
        /** Interval between records of a partition, in nanoseconds. */
        public long everyNanos(int partitions) {
            return (long) (1e9 * Math.max(1 / rate, partitions * recordBytes / maxBytes));
        }
    }

    /** Client properties with short timeouts, so that clients reconnect fast enough to determine the end of an outage. */
    Map<String, Object> client(String name, Map<String, Object> more, Map<String, String> asked) {
        Map<String, Object> properties = connection.clientProperties();
        properties.putAll(Map.of(
                "client.id", topic + "-" + name,
                "retry.backoff.ms", 50,
                "retry.backoff.max.ms", 200,
                "reconnect.backoff.ms", 50,
                "reconnect.backoff.max.ms", 200,
                "request.timeout.ms", 10_000,
                "metadata.max.age.ms", 30_000));
        properties.putAll(more);
        asked.forEach((key, value) -> {
            // The connection already contains the bootstrap servers.
            if (!key.equals("bootstrap.servers")) {
                properties.put(key, value);
            }
        });
        connection.properties().forEach((key, value) -> {
            if (!ClusterConnection.configuresProviders(key)) {
                properties.put(key, value);
            }
        });
        properties.keySet().removeAll(OWN);
        more.forEach((key, value) -> {
            if (OWN.contains(key)) {
                properties.put(key, value);
            }
        });
        return properties;
    }
}
