package io.plimsoll.cluster;

import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;

/**
 * A cluster as a preflight found it.
 *
 * @param unreachable by broker id, why the address that this broker advertises cannot be connected to from here; a load
 *     on partitions that such a broker leads would fail
 */
public record ClusterDescription(String clusterId, List<Broker> brokers, Map<Integer, Sentence> unreachable) {

    /** A broker at the address that it advertises; {@code rack} is empty where none is set. */
    public record Broker(int id, String host, int port, String rack) {}

    public List<Integer> ids() {
        return brokers.stream().map(Broker::id).toList();
    }

    public ClusterDescription {
        brokers = List.copyOf(brokers);
        unreachable = Map.copyOf(unreachable);
    }
}
