package io.plimsoll.watch;

import io.plimsoll.cluster.ClusterConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * What is watched, and how closely.
 *
 * @param topic of ours, made where it is not there
 * @param slow a record that takes longer is not good
 * @param outage a time without a success that is longer is an outage
 * @param objective the share that is to be good, such as 0.999
 * @param state the directory of the accounts
 */
public record WatchSettings(
        ClusterConnection connection,
        String topic,
        Load load,
        Duration slow,
        Duration outage,
        double objective,
        Path state) {
    /** A record carries who sent it, its sequence and when it was due. */
    public static final int LEAST_BYTES = 40;

    /**
     * What is sent.
     *
     * @param rate records a second to each partition, and so to each broker
     * @param recordBytes of each record's value
     * @param maxBytes a second to all partitions together, before replication; where there are many, the rate is lower
     */
    public record Load(double rate, int recordBytes, double maxBytes) {
        /** Nanoseconds from one record of a partition to the next. */
        long everyNanos(int partitions) {
            return (long) (1e9 * Math.max(1 / rate, partitions * recordBytes / maxBytes));
        }
    }

    /** Properties of the clients: after an outage they are back soon enough to say when it ended. */
    Map<String, Object> client(String name, Map<String, Object> more) {
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
        properties.putAll(connection.properties());
        return properties;
    }
}
