package io.plimsoll.diagnose;

import io.plimsoll.scenario.ConsumerKeys;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerKeys;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.SendMode;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;

/**
 * What may be done about a cause, on any cluster: one key with another value. Rules name theirs ({@link Rule#easedBy}).
 *
 * @param name of its words in {@code diagnose.advice.}, which say what it would change, and its price
 * @param values the one that a scenario has and the other; the same where it makes no sense
 */
record Remedy(String name, String path, Function<Scenario, List<?>> values) {
    private static final String PRODUCERS = "producers.config.";
    private static final String CONSUMERS = "consumers.config.";

    static final Remedy BATCH_SIZE =
            number(PRODUCERS, "batch.size", 16_384, n -> Math.max(n, Math.min(1 << 20, n * 8)));
    static final Remedy LINGER_MORE =
            number(PRODUCERS, "linger.ms", 5, n -> Math.max(20, n * 4)).named("linger");
    static final Remedy LINGER_LESS = number(PRODUCERS, "linger.ms", 5, n -> 0);
    static final Remedy BUFFER = number(PRODUCERS, "buffer.memory", 1 << 25, n -> Math.max(1 << 25, n * 4));
    static final Remedy IN_FLIGHT = number(PRODUCERS, "max.in.flight.requests.per.connection", 5, n -> Math.max(n, 5));
    static final Remedy FETCH_MIN = number(CONSUMERS, "fetch.min.bytes", 1, n -> 1);
    static final Remedy FETCH_SIZE = number(CONSUMERS, "max.partition.fetch.bytes", 1 << 20, n -> n * 4);
    static final Remedy POLL = number(CONSUMERS, "max.poll.records", 500, n -> n * 4);
    static final Remedy ACKS = word("acks", "all", "1");
    static final Remedy COMPRESSION = word("compression.type", "none", "lz4");
    static final Remedy CLIENTS = producer("clients", p -> List.of(p.clients(), p.clients() * 2));
    static final Remedy THREADS = producer("threads", p -> List.of(p.threads(), p.threads() * 2));
    static final Remedy SEND = producer(
            "send",
            p -> p.settings().get(ProducerKeys.SEND) instanceof SendMode.Sync ? List.of("sync", "async") : List.of());
    static final Remedy MEMBERS = new Remedy("members", "consumers.members", s -> s.consumers().stream()
            .map(ConsumerSpec::members)
            .findFirst()
            .map(n -> List.of(n, n * 2))
            .orElse(List.of()));
    static final Remedy PARTITIONS = new Remedy(
            "partitions",
            "topics.partitions",
            s -> s.topics().stream().anyMatch(TopicSpec::existing)
                    ? List.of()
                    : List.of(s.topics().get(0).partitions(), s.topics().get(0).partitions() * 2));
    static final Remedy TOPIC_CODEC =
            new Remedy("topicCodec", "topics.config.compression.type", s -> s.topics().stream()
                    .map(t -> t.config().get("compression.type"))
                    .filter(codec -> codec != null)
                    .findFirst()
                    .map(codec -> List.of(codec, "producer"))
                    .orElse(List.of()));

    /** Of what a scenario has of it; empty where it makes no sense. */
    Optional<Advice> in(Scenario scenario) {
        List<?> both = values.apply(scenario);
        return both.size() < 2 || both.get(0).equals(both.get(1))
                ? Optional.empty()
                : Optional.of(new Advice(
                        name,
                        path,
                        both.get(0).toString(),
                        both.get(1).toString(),
                        Sentence.of("diagnose.advice." + name)));
    }

    private Remedy named(String other) {
        return new Remedy(other, path, values);
    }

    private static Remedy producer(String key, Function<ProducerSpec, List<?>> values) {
        return new Remedy(
                key,
                "producers." + key,
                s -> s.producers().stream().findFirst().<List<?>>map(values).orElse(List.of()));
    }

    private static Remedy word(String setting, String from, String to) {
        return setting(PRODUCERS, setting, config -> {
            String now = config.getOrDefault(setting, from);
            return now.equals(from) || now.equals("-1") ? List.of(now, to) : List.of();
        });
    }

    private static Remedy number(String where, String setting, long fallback, LongUnaryOperator other) {
        return setting(where, setting, config -> {
            String now = config.getOrDefault(setting, String.valueOf(fallback));
            return now.matches("\\d{1,12}")
                    ? List.of(now, String.valueOf(other.applyAsLong(Long.parseLong(now))))
                    : List.of();
        });
    }

    /** The settings of the first producer or consumer; all are changed as if they were like it. */
    private static Remedy setting(String where, String setting, Function<Map<String, String>, List<?>> values) {
        return new Remedy(setting, where + setting, s -> {
            List<Map<String, String>> all = where.equals(PRODUCERS)
                    ? s.producers().stream().map(ProducerSpec::config).toList()
                    : s.consumers().stream()
                            .map(c -> c.settings().get(ConsumerKeys.CONFIG))
                            .toList();
            return all.isEmpty() ? List.of() : values.apply(all.get(0));
        });
    }
}
