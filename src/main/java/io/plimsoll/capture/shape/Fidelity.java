package io.plimsoll.capture.shape;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How far a replay is from what was captured.
 *
 * @param figure its name
 * @param captured of the load as captured
 * @param replayed of its replay
 * @param distance between the two: of shares and distributions 0 to 1, of others relative to what was captured
 * @param bound what the distance may be
 */
public record Fidelity(String topic, String figure, double captured, double replayed, double distance, double bound) {
    public boolean within() {
        return distance <= bound;
    }

    /** Compares what a topic's records look like; rates are what the replay was asked for. */
    public static List<Fidelity> of(TopicShape was, TopicShape is) {
        List<Fidelity> all = new ArrayList<>();
        String topic = was.topic();
        double sizes = was.values().apart(is.values());
        all.add(new Fidelity(topic, "sizes", was.values().bytes(), is.values().bytes(), sizes, 0.05));
        double keyed = Math.abs(was.keys().presence() - is.keys().presence());
        all.add(new Fidelity(topic, "keyed", was.keys().presence(), is.keys().presence(), keyed, 0.02));
        double keys = was.keys().presence() > 0 ? was.keys().apart(is.keys()) : 0;
        all.add(new Fidelity(topic, "keys", was.keys().count(), is.keys().count(), keys, 0.1));
        double partitions = was.skewed()
                ? TopicShape.apart(was.partitions(), is.partitions())
                : TopicShape.apart(falling(was.partitions()), falling(is.partitions()));
        all.add(new Fidelity(topic, "partitions", was.skew(), is.skew(), partitions, 0.1));
        all.add(relative(
                topic, "batchBytes", was.batches().bytes(), is.batches().bytes(), 0.35));
        all.add(relative(
                topic, "batchRecords", was.batches().records(), is.batches().records(), 0.35));
        double ratio = Math.abs(was.batches().ratio() - is.batches().ratio());
        all.add(new Fidelity(topic, "ratio", was.batches().ratio(), is.batches().ratio(), ratio, 0.1));
        all.add(relative(
                topic, "headerBytes", was.values().ofHeaders(), is.values().ofHeaders(), 0.02));
        return all;
    }

    /** Which partition it is does not matter where keys decide. */
    private static List<Double> falling(List<Double> shares) {
        return shares.stream().sorted(Collections.reverseOrder()).toList();
    }

    private static Fidelity relative(String topic, String figure, double was, double is, double bound) {
        return new Fidelity(topic, figure, was, is, was == is ? 0 : Math.abs(was - is) / Math.max(1e-9, was), bound);
    }
}
