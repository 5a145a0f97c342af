package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Finds what a cluster would refuse, asked without changing anything on it. Every method is bounded in time by the admin
 * client and throws {@link PlimsollException} with one sentence. Usable by several threads.
 */
public record ClusterRules(Admin admin) {
    private static final String TOPIC_LIMIT = "max.message.bytes";
    private static final String BROKER_LIMIT = "message.max.bytes";
    private static final String AUTO_CREATE = "auto.create.topics.enable";

    /**
     * Whether these topics could be created as they are.
     *
     * @param refusals takes one sentence for each that could not, for want of rights excepted
     * @throws PlimsollException ({@link Exit#CLUSTER}) if this user may not create them
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
            }
        }
    }

    /**
     * The existing topics with which this user may not do what the operation says. A cluster that does not
     * tell counts as one that allows it.
     */
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

    /** The largest record batch that each existing topic takes, in bytes; absent where this user may not ask. */
    public Map<String, Long> largestBatchOf(Collection<String> topics) {
        Map<String, Long> limits = new HashMap<>();
        describe(ConfigResource.Type.TOPIC, topics, TOPIC_LIMIT)
                .forEach((resource, limit) -> limits.put(resource.name(), Long.parseLong(limit)));
        return limits;
    }

    /** The largest record batch, in bytes, that topics without a setting of their own take; empty if nobody tells. */
    public OptionalLong largestBatch(Collection<Integer> brokers) {
        List<String> ids = brokers.stream().map(String::valueOf).toList();
        return describe(ConfigResource.Type.BROKER, ids, BROKER_LIMIT).values().stream()
                .mapToLong(Long::parseLong)
                .min();
    }

    /** Whether the brokers make a topic that somebody asks for and that is not there; true if they do not tell. */
    public boolean createTopicsOnDemand(Collection<Integer> brokers) {
        List<String> ids = brokers.stream().map(String::valueOf).toList();
        return describe(ConfigResource.Type.BROKER, ids, AUTO_CREATE).values().stream()
                .allMatch(Boolean::parseBoolean);
    }

    private Map<ConfigResource, String> describe(ConfigResource.Type type, Collection<String> names, String property) {
        List<ConfigResource> resources =
                names.stream().map(name -> new ConfigResource(type, name)).toList();
        Map<ConfigResource, String> found = new HashMap<>();
        admin.describeConfigs(resources).values().forEach((resource, answer) -> {
            try {
                ConfigEntry entry = answer.get().get(property);
                if (entry != null && entry.value() != null) {
                    found.put(resource, entry.value());
                }
            } catch (ExecutionException e) {
                if (!(KafkaErrors.unwrap(e) instanceof AuthorizationException)) {
                    throw KafkaErrors.explain(e, "read the configuration of", resource.name());
                }
            } catch (InterruptedException e) {
                throw Answers.interrupted(e, "read the configuration of", resource.name());
            }
        });
        return found;
    }
}
