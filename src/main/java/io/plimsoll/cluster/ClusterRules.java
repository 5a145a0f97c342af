package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.text.Sentence;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;

/** Validates requests on the cluster without changing it. */
public record ClusterRules(Admin admin) {
    /** Topic settings of the bundled Kafka release; other brokers can differ and decide. */
    private static final Set<String> TOPIC_CONFIGS = topicConfigs();

    private static final String TOPIC_LIMIT = "max.message.bytes";
    private static final String BROKER_LIMIT = "message.max.bytes";
    private static final String AUTO_CREATE = "auto.create.topics.enable";

    /**
     * Validates the creation of these topics; {@code refusals} receives a sentence per rejected topic. Fails with
     * {@link Exit#CLUSTER} without permission.
     */
    public void tryToCreate(Collection<NewTopic> topics, Consumer<Sentence> refusals) {
        Map<String, KafkaFuture<Void>> answers = admin.createTopics(
                        topics, new CreateTopicsOptions().validateOnly(true))
                .values();
        for (NewTopic topic : topics) {
            try {
                Answers.await(answers.get(topic.name()), "create topic", topic.name());
            } catch (PlimsollException e) {
                if (e.exit() != Exit.USAGE) {
                    throw e;
                }
                refusals.accept(e.sentence());
                unknownConfigs(topic.configs() == null ? Map.of() : topic.configs(), topic.name())
                        .forEach(refusals);
            }
        }
    }

    /** Whether all of these topics can be created together. */
    public boolean accepts(Collection<NewTopic> topics) {
        return Answers.done(
                admin.createTopics(topics, new CreateTopicsOptions().validateOnly(true))
                        .all(),
                "create topic",
                topics.iterator().next().name(),
                e -> true);
    }

    /** Default {@code retention.ms} of a topic with this name, negative for unlimited; empty if unknown. */
    public OptionalLong usualRetentionMillis(String name) {
        NewTopic probe = new NewTopic(name, Optional.empty(), Optional.empty());
        return Answers.await(
                        admin.createTopics(List.of(probe), new CreateTopicsOptions().validateOnly(true))
                                .config(name),
                        "create topic",
                        name,
                        e -> true)
                .map(config -> config.get(TopicConfig.RETENTION_MS_CONFIG))
                .map(entry -> OptionalLong.of(Long.parseLong(entry.value())))
                .orElse(OptionalLong.empty());
    }

    /** Existing topics on which this operation is not permitted; empty if unknown. */
    public Set<String> forbidden(Collection<String> topics, AclOperation operation) {
        Set<String> forbidden = new TreeSet<>();
        Map<String, KafkaFuture<TopicDescription>> answers = admin.describeTopics(
                        topics, new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .topicNameValues();
        answers.forEach((name, answer) -> {
            Set<AclOperation> allowed =
                    Answers.await(answer, "describe topic", name).authorizedOperations();
            if (allowed != null && !allowed.isEmpty() && !allowed.contains(operation)) {
                forbidden.add(name);
            }
        });
        return forbidden;
    }

    /** {@code max.message.bytes} of each existing topic; absent without permission. */
    public Map<String, Long> largestBatchOf(Collection<String> topics) {
        Map<String, Long> limits = new HashMap<>();
        describe(ConfigResource.Type.TOPIC, topics, TOPIC_LIMIT)
                .forEach((resource, limit) -> limits.put(resource.name(), Long.parseLong(limit)));
        return limits;
    }

    /** Default maximum record batch in bytes; empty if unknown. */
    public OptionalLong largestBatch(Collection<Integer> brokers) {
        return ofBrokers(brokers, BROKER_LIMIT).mapToLong(Long::parseLong).min();
    }

    /** Whether brokers auto-create topics; true if unknown. */
    public boolean createTopicsOnDemand(Collection<Integer> brokers) {
        return ofBrokers(brokers, AUTO_CREATE).allMatch(Boolean::parseBoolean);
    }

    private Stream<String> ofBrokers(Collection<Integer> brokers, String property) {
        List<String> ids = brokers.stream().map(String::valueOf).toList();
        return describe(ConfigResource.Type.BROKER, ids, property).values().stream();
    }

    private Map<ConfigResource, String> describe(ConfigResource.Type type, Collection<String> names, String property) {
        List<ConfigResource> resources =
                names.stream().map(name -> new ConfigResource(type, name)).toList();
        Map<ConfigResource, String> found = new HashMap<>();
        admin.describeConfigs(resources).values().forEach((resource, answer) -> {
            String name = resource.name();
            Answers.await(answer, "read the configuration of", name, e -> e instanceof AuthorizationException)
                    .map(config -> config.get(property))
                    .map(ConfigEntry::value)
                    .ifPresent(value -> found.put(resource, value));
        });
        return found;
    }

    static Set<String> topicConfigs() {
        Set<String> names = new TreeSet<>(
                Set.of("leader.replication.throttled.replicas", "follower.replication.throttled.replicas"));
        try {
            for (Field field : TopicConfig.class.getFields()) {
                // Settings that brokers no longer accept are deprecated.
                if (field.getName().endsWith("_CONFIG") && !field.isAnnotationPresent(Deprecated.class)) {
                    names.add((String) field.get(null));
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return names;
    }

    /** One sentence for each unknown setting, with the likely intended name. */
    public static List<Sentence> unknownConfigs(Map<String, String> configs, Object where) {
        return configs.keySet().stream()
                .filter(name -> !TOPIC_CONFIGS.contains(name))
                .map(name -> Sentence.of(
                        "cluster.unknownTopicConfig", where, name, Suggestions.didYouMean(name, TOPIC_CONFIGS)))
                .toList();
    }
}
