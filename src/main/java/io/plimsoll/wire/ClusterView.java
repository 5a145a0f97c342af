package io.plimsoll.wire;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.jspecify.annotations.Nullable;

/** A metadata response: brokers by id and topics by name. Immutable. */
public record ClusterView(Map<Integer, Node> nodes, Map<String, Topic> topics) {
    /** Maximum plausible number of partitions; a larger number means a corrupt response. */
    private static final int MOST_PARTITIONS = 1 << 20;

    /**
     * Topic id ({@link Uuid#ZERO_UUID} before 2.8), leader (−1 for none) and number of in-sync replicas of each
     * partition, and the kind of error, or null.
     */
    public record Topic(
            Uuid id, int[] leaders, int[] inSync, @Nullable String error) {}

    /** Requests metadata over an idle link; {@code found} receives the response on the network thread. */
    public static void ask(RawLink link, Collection<String> topics, String clientId, Consumer<ClusterView> found) {
        MetadataRequest body = MetadataRequest.Builder.forTopicNames(List.copyOf(topics), false)
                .build(link.version(ApiKeys.METADATA));
        link.ask(body, clientId, (response, version) -> view(MetadataResponse.parse(response, version)), found);
    }

    static ClusterView view(MetadataResponse response) {
        Map<Integer, Node> nodes = new HashMap<>();
        response.brokers().forEach(node -> nodes.put(node.id(), node));
        Map<String, Topic> topics = new HashMap<>();
        for (MetadataResponse.TopicMetadata topic : response.topicMetadata()) {
            int count = topic.partitionMetadata().stream()
                            .mapToInt(MetadataResponse.PartitionMetadata::partition)
                            .max()
                            .orElse(-1)
                    + 1;
            if (count > MOST_PARTITIONS) {
                throw new IllegalArgumentException("a topic claims " + count + " partitions");
            }
            int[] leaders = new int[count];
            Arrays.fill(leaders, -1);
            int[] inSync = new int[count];
            topic.partitionMetadata().forEach(p -> {
                leaders[p.partition()] = p.leaderId.orElse(-1);
                inSync[p.partition()] = p.inSyncReplicaIds.size();
            });
            String error = topic.error() == Errors.NONE
                    ? null
                    : RawErrors.kind(topic.error().code());
            topics.put(topic.topic(), new Topic(topic.topicId(), leaders, inSync, error));
        }
        return new ClusterView(nodes, topics);
    }
}
