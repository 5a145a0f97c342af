package io.plimsoll.watch;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.ConfigProviders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * What is watched, and how closely.
 *
 * @param topic of ours, made where it is not there
 * @param layout of the topic where it is made
 * @param slow a record that takes longer is not good
 * @param outage a time without a success that is longer is an outage
 * @param objective the share that is to be good, such as 0.999
 * @param state the directory of the accounts
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
    /** A record carries who sent it, its sequence and when it was due. */
    public static final int LEAST_BYTES = 40;

    /**
     * How the topic is made.
     *
     * @param partitions the least number of them; each broker has one at least
     * @param copies of each partition, fewer where there are fewer brokers
     * @param config its properties, over those of a watch
     */
    public record Layout(int partitions, int copies, Map<String, String> config) {
        public static final Layout DEFAULT = new Layout(1, 3, Map.of());
    }

    /**
     * What is sent.
     *
     * @param rate records a second to each partition, and so to each broker
     * @param recordBytes of each record's value
     * @param maxBytes a second to all partitions together, before replication; where there are many, the rate is lower
     * @param producing properties of the producer
     * @param reading properties of the consumer that reads all
     */
    public record Load(
            double rate, int recordBytes, double maxBytes, Map<String, String> producing, Map<String, String> reading) {
        /** Nanoseconds from one record of a partition to the next. */
        public long everyNanos(int partitions) {
            return (long) (1e9 * Math.max(1 / rate, partitions * recordBytes / maxBytes));
        }
    }

    /** Properties of the clients: after an outage they are back soon enough to say when it ended. */
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
            // They may have told where the cluster is, which the connection knows.
            if (!key.equals("bootstrap.servers")) {
                properties.put(key, value);
            }
        });
        connection.properties().forEach((key, value) -> {
            if (!ConfigProviders.configures(key)) {
                properties.put(key, value);
            }
        });
        return properties;
    }
}
