package io.plimsoll.perf;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Topics named on a command line, which must exist or be auto-creatable. Each call connects, queries, and disconnects;
 * it throws a {@link PlimsollException} with one sentence.
 */
final class NamedTopics {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ClusterConnection connection;
    private final List<Integer> brokers;

    /** Connects to the cluster; fails as {@link ClusterConnection#check}. */
    NamedTopics(ClusterConnection connection) {
        this.connection = connection;
        this.brokers = connection.check().ids();
    }

    /**
     * Creates a missing topic with the brokers' defaults; true if created. Fails with {@link Exit#USAGE} if the
     * topic is missing and brokers do not auto-create topics.
     */
    boolean createOnDemand(String name) {
        return create(new NewTopic(name, Optional.empty(), Optional.empty()), true);
    }

    /** @return true if the topic was missing and was created with one partition and one replica */
    boolean createSmallest(String name) {
        return create(new NewTopic(name, 1, (short) 1), false);
    }

    private boolean create(NewTopic topic, boolean onDemand) {
        try (Admin admin = connection.admin()) {
            Topics topics = new Topics(admin);
            if (exists(topics, topic.name())) {
                return false;
            }
            Exit.USAGE.when(
                    onDemand && !topics.createTopicsOnDemand(brokers),
                    "cluster.noSuchTopic",
                    topic.name());
            topics.create(List.of(topic), LIMIT);
            return true;
        }
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) if the topic does not exist */
    void require(String name) {
        try (Admin admin = connection.admin()) {
            Exit.USAGE.when(!exists(new Topics(admin), name), "cluster.nothingToRead", name);
        }
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) if no topic except internal topics matches */
    List<String> matching(Pattern pattern) {
        try (Admin admin = connection.admin()) {
            return new Topics(admin).matching(pattern);
        }
    }

    private static boolean exists(Topics topics, String name) {
        return topics.lookup(name).isPresent();
    }
}
