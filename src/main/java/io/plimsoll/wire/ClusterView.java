package io.plimsoll.wire;

import java.util.Map;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;

/**
 * The contents of a metadata response: where the brokers are and who leads which partition. Immutable.
 *
 * @param nodes by broker id
 * @param topics by name
 */
public record ClusterView(Map<Integer, Node> nodes, Map<String, Topic> topics) {
    public ClusterView {
        nodes = Map.copyOf(nodes);
        topics = Map.copyOf(topics);
    }

    /**
     * @param id {@link Uuid#ZERO_UUID} from brokers before 2.8
     * @param leaders broker id per partition, −1 where there is none
     * @param leaderEpochs per partition, −1 where unknown
     * @param error null if the topic is fine, otherwise the kind of error
     */
    public record Topic(Uuid id, int[] leaders, int[] leaderEpochs, String error) {}
}
