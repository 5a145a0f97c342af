package io.plimsoll.diagnose;

import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one broker.
 *
 * @param figures entry of {@code brokers} of a trial
 */
record BrokerEvidence(Map<String, Object> figures) {

    /** A figure of this broker; null if no source provides it. */
    @Nullable
    Double get(String figure) {
        return TrialEvidence.number(figures.get(figure));
    }

    /** A figure that this broker is known to report. */
    double known(String figure) {
        return Objects.requireNonNull(get(figure), figure);
    }

    double get(String figure, double otherwise) {
        return TrialEvidence.orElse(get(figure), otherwise);
    }

    /** A figure of this broker's host; null if no exporter reports it. */
    @Nullable
    Double ofHost(String figure) {
        return figures.get("host") instanceof Map<?, ?> host ? TrialEvidence.number(host.get(figure)) : null;
    }

    /** A figure of one kind of request, {@code fetch} or {@code follower}; 0 if no source provides it. */
    double of(String request, String figure) {
        return figures.get(request) instanceof Map<?, ?> stages && stages.get(figure) instanceof Number n
                ? n.doubleValue()
                : 0;
    }

    @Nullable
    Object id() {
        return figures.get("id");
    }

    boolean is(int broker) {
        return id() instanceof Number id && id.intValue() == broker;
    }

    Sentence name() {
        return name(id());
    }

    static Sentence name(@Nullable Object id) {
        return Sentence.of("diagnose.broker", id);
    }

    /** Whether the broker runs on the load generator's host. */
    boolean here() {
        return figures.get("sources") instanceof List<?> sources && sources.contains("proc");
    }

    /** Flush time ÷ append time, 0 to 1; 0 if unknown. */
    double flushShare() {
        double append = get("produceRequests", 0) * get("localMs", 0);
        return append > 0 ? Math.min(1, get("flushes", 0) * get("flushMs", 0) / append) : 0;
    }
}
