package io.plimsoll.diagnose;

import io.plimsoll.diagnose.Diagnosis.Advice;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.SendMode;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * A change of one key that can remove a cause on any cluster, applied to the first producer, consumer or topic. Rules
 * name their remedies ({@link Rule#easedBy}).
 * @param name suffix of its text in {@code diagnose.advice.}, which states effect and cost
 * @param now current value in a scenario; empty if the change is not applicable
 * @param other computes the new value; returns the old value if no change is needed
 */
record Remedy(String name, String path, Function<Scenario, Optional<?>> now, UnaryOperator<String> other) {
    private static final UnaryOperator<String> TWICE = number(n -> 2 * n);

    static final Remedy BATCH_SIZE =
            producer("batch.size", "16384", number(n -> Math.max(n, Math.min(1 << 20, 8 * n))));
    static final Remedy LINGER_LESS = producer("linger.ms", "5", number(n -> 0));
    static final Remedy LINGER_MORE =
            new Remedy("linger", LINGER_LESS.path, LINGER_LESS.now, number(n -> Math.max(20, 4 * n)));
    static final Remedy BUFFER = producer("buffer.memory", "33554432", number(n -> Math.max(1 << 25, 4 * n)));
    static final Remedy IN_FLIGHT = producer("max.in.flight.requests.per.connection", "5", number(n -> Math.max(5, n)));
    static final Remedy ACKS = producer("acks", "all", now -> now.matches("all|-1") ? "1" : now);
    static final Remedy COMPRESSION = producer("compression.type", "none", now -> now.equals("none") ? "lz4" : now);
    static final Remedy FETCH_MIN = consumer("fetch.min.bytes", "1", number(n -> 1));
    static final Remedy FETCH_SIZE = consumer("max.partition.fetch.bytes", "1048576", number(n -> 4 * n));
    static final Remedy POLL = consumer("max.poll.records", "500", number(n -> 4 * n));
    static final Remedy POLL_LESS =
            new Remedy("pollLess", POLL.path, POLL.now, number(n -> Math.max(1, Math.min(n, n / 8))));
    static final Remedy CLIENTS =
            new Remedy("clients", "producers.clients", s -> first(s.producers()).map(ProducerSpec::clients), TWICE);
    static final Remedy THREADS =
            new Remedy("threads", "producers.threads", s -> first(s.producers()).map(ProducerSpec::threads), TWICE);
    static final Remedy SEND = new Remedy(
            "send",
            "producers.send",
            s -> first(s.producers())
                    .filter(p -> p.send() instanceof SendMode.Sync)
                    .map(p -> "sync"),
            now -> "async");
    static final Remedy MEMBERS =
            new Remedy("members", "consumers.members", s -> first(s.consumers()).map(ConsumerSpec::members), TWICE);
    static final Remedy PARTITIONS = new Remedy(
            "partitions",
            "topics.partitions",
            s -> first(s.topics()).filter(t -> !t.existing()).map(TopicSpec::partitions),
            TWICE);
    static final Remedy TOPIC_CODEC = new Remedy(
            "topicCodec",
            "topics.config.compression.type",
            s -> first(s.topics()).map(t -> t.config().get("compression.type")),
            now -> "producer");

    /** The advice for a scenario; empty if the change is not applicable or not needed. */
    Optional<Advice> in(Scenario scenario) {
        return now.apply(scenario)
                .map(Object::toString)
                .map(n -> new Advice(name, path, n, other.apply(n), Sentence.of("diagnose.advice." + name)))
                .filter(a -> !a.before().equals(a.after()));
    }

    private static Remedy producer(String setting, String fallback, UnaryOperator<String> other) {
        Function<Scenario, Optional<?>> now =
                s -> first(s.producers()).map(p -> p.config().getOrDefault(setting, fallback));
        return new Remedy(setting, "producers.config." + setting, now, other);
    }

    private static Remedy consumer(String setting, String fallback, UnaryOperator<String> other) {
        Function<Scenario, Optional<?>> now =
                s -> first(s.consumers()).map(c -> c.config().getOrDefault(setting, fallback));
        return new Remedy(setting, "consumers.config." + setting, now, other);
    }

    private static UnaryOperator<String> number(LongUnaryOperator other) {
        return now -> now.matches("\\d{1,12}") ? String.valueOf(other.applyAsLong(Long.parseLong(now))) : now;
    }

    private static <T> Optional<T> first(List<T> all) {
        return all.stream().findFirst();
    }
}
