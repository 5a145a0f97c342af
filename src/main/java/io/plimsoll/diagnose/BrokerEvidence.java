package io.plimsoll.diagnose;

import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;

/**
 * The figures of one broker.
 *
 * @param figures entry of {@code brokers} of a trial
 */
record BrokerEvidence(Map<String, Object> figures) {

    /** A figure of this broker; null if no source provides it. */
    Double get(String figure) {
        return TrialEvidence.number(figures.get(figure));
    }

    double get(String figure, double otherwise) {
        return TrialEvidence.orElse(get(figure), otherwise);
    }

    /** A figure of one kind of request, {@code fetch} or {@code follower}; 0 if no source provides it. */
    double of(String request, String figure) {
        return figures.get(request) instanceof Map<?, ?> stages && stages.get(figure) instanceof Number n
                ? n.doubleValue()
                : 0;
    }

    Object id() {
        return figures.get("id");
    }

    boolean is(int broker) {
        return id() instanceof Number id && id.intValue() == broker;
    }

    Sentence name() {
        return name(id());
    }

    static Sentence name(Object id) {
        return Sentence.of("diagnose.broker", id);
    }

    /** Whether the broker runs on the load generator's host. */
    boolean here() {
        return figures.get("sources") instanceof List<?> sources && sources.contains("proc");
    }

    /** Flush time ÷ append time, 0 to 1; 0 if unknown. */
    double flushShare() {
        Double flushes = get("flushes");
        Double flushMs = get("flushMs");
        Double requests = get("produceRequests");
        Double local = get("localMs");
        boolean known = flushes != null && flushMs != null && requests != null && local != null;
        return known && requests * local > 0 ? Math.min(1, flushes * flushMs / (requests * local)) : 0;
    }
}
