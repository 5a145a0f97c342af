package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Topics that a user names on a command line and expects to be there, or to come into being as they do for any client.
 * Each call connects, asks and disconnects; it throws {@link PlimsollException} with one sentence.
 */
public final class NamedTopics {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ClusterConnection connection;
    private final List<Integer> brokers;

    /** Checks the connection, which takes 10 s at the most. */
    public NamedTopics(ClusterConnection connection) {
        this.connection = connection;
        this.brokers = connection.check().ids();
    }

    /**
     * Makes a topic that is not there with the brokers' own number of partitions and replicas, if brokers that are asked
     * for a missing topic would do that.
     *
     * @return true if it was made
     * @throws PlimsollException ({@link Exit#USAGE}) if it is not there and the brokers would not make it
     */
    public boolean createOnDemand(String name) {
        return create(new NewTopic(name, Optional.empty(), Optional.empty()), true);
    }

    /** @return true if it was not there and was made, with one partition on one broker */
    public boolean createSmallest(String name) {
        return create(new NewTopic(name, 1, (short) 1), false);
    }

    private boolean create(NewTopic topic, boolean onDemand) {
        try (Admin admin = connection.admin()) {
            Topics topics = new Topics(admin);
            if (exists(topics, topic.name())) {
                return false;
            }
            Exit.USAGE.when(
                    onDemand && !new ClusterRules(admin).createTopicsOnDemand(brokers),
                    "cluster.noSuchTopic",
                    topic.name());
            topics.create(List.of(topic), LIMIT);
            return true;
        }
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) if it is not there */
    public void require(String name) {
        try (Admin admin = connection.admin()) {
            Exit.USAGE.when(!exists(new Topics(admin), name), "cluster.nothingToRead", name);
        }
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) if no topic, internal ones aside, has such a name */
    public List<String> matching(Pattern pattern) {
        try (Admin admin = connection.admin()) {
            List<String> matching = new Topics(admin)
                    .names(false).stream()
                            .filter(name -> pattern.matcher(name).matches())
                            .toList();
            Exit.USAGE.when(matching.isEmpty(), "cluster.noTopicMatches", pattern);
            return matching;
        }
    }

    private static boolean exists(Topics topics, String name) {
        return topics.lookup(Set.of(name)).get(name).isPresent();
    }
}
