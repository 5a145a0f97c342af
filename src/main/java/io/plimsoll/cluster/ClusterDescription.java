package io.plimsoll.cluster;

import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;

/** The cluster found by the preflight check, and brokers with an unreachable advertised address. */
public record ClusterDescription(String clusterId, List<Broker> brokers, Map<Integer, Sentence> unreachable) {

    /** A broker at its advertised address; {@code rack} is empty if unset. */
    public record Broker(int id, String host, int port, String rack) {}

    public List<Integer> ids() {
        return brokers.stream().map(Broker::id).toList();
    }
}
