package io.plimsoll.diagnose;

import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A change of a single factor of a load. It proves a cause if the ceiling moves. Quotas and broker settings are never
 * changed.
 * @param factor such as {@code acks}
 * @param change changes a load, given the suspected place, which can be null; returns null if not applicable
 */
record Perturbation(Sentence factor, BiFunction<ProbedLoad, Sentence, Changed> change) {
    private static final int MANY_FOLD = 8;
    private static final int LEAST_BATCH_BYTES = 131_072;
    private static final long LEAST_BUFFER_BYTES = 33_554_432L;
    private static final int MOST_IDEMPOTENT = 5;
    private static final int MOST_CLIENTS = 1_000;
    private static final String MAX_IN_FLIGHT = "max.in.flight.requests.per.connection";

    /** Larger batches, with a linger.ms that fills them; at least twice the size and within the broker's limit. */
    static final Perturbation BATCH_SIZE = setting("batch.size", load -> {
        long batch = load.number("batch.size", 16_384);
        long larger = Math.min(load.mostBatchBytes(), Math.max(LEAST_BATCH_BYTES, batch * MANY_FOLD));
        String linger = String.valueOf(Math.max(5, linger(load)));
        return larger < 2 * batch
                ? null
                : load.settings("batch.size", batch, Map.of("batch.size", String.valueOf(larger), "linger.ms", linger));
    });

    static final Perturbation IN_FLIGHT = setting(MAX_IN_FLIGHT, load -> {
        long inFlight = load.number(MAX_IN_FLIGHT, MOST_IDEMPOTENT);
        return inFlight >= MOST_IDEMPOTENT
                ? null
                : load.settings(MAX_IN_FLIGHT, inFlight, Map.of(MAX_IN_FLIGHT, String.valueOf(MOST_IDEMPOTENT)));
    });

    static final Perturbation BUFFER_MEMORY = setting("buffer.memory", load -> {
        long buffer = load.number("buffer.memory", LEAST_BUFFER_BYTES);
        String larger = String.valueOf(Math.max(LEAST_BUFFER_BYTES, buffer * MANY_FOLD));
        return load.settings("buffer.memory", buffer, Map.of("buffer.memory", larger));
    });

    static final Perturbation LINGER = setting(
            "linger.ms",
            load -> linger(load) > 0 ? load.settings("linger.ms", linger(load), Map.of("linger.ms", "0")) : null);

    static final Perturbation ACKS = setting("acks", load -> {
        String acks = load.config().getOrDefault("acks", "all");
        boolean transactional = load.scenario().producers().stream()
                .anyMatch(p -> p.transactions().enabled());
        return transactional || !(acks.equals("all") || acks.equals("-1"))
                ? null
                : load.settings("acks", "all", Map.of("acks", "1", "enable.idempotence", "false"));
    });

    /** Sends records without keys; not to compacted topics, which reject such records. */
    static final Perturbation KEYS = factor(
            "keys",
            load -> load.scenario().producers().stream()
                            .anyMatch(p -> !(p.record().key() instanceof KeySpec.None))
                    && load.scenario().topics().stream().noneMatch(t -> t.config()
                            .getOrDefault("cleanup.policy", "")
                            .contains("compact")),
            load -> producers(load, "keys", Perturbation::unkeyed));

    static final Perturbation CLIENTS = factor(
            "clients",
            load -> load.scenario().producers().get(0).clients() < MOST_CLIENTS,
            load -> producers(load, "clients", p -> p.with(ProducerSpec.CLIENTS, p.clients() * 2)));

    static final Perturbation PARTITIONS = factor(
            "partitions",
            load -> !load.placed(),
            load -> topics(load, "partitions", t -> topic(t, t.partitions() * 2, t.replication(), t.brokers())));

    static final Perturbation ONE_COPY = factor(
            "replication",
            load -> load.replicated() && !load.placed(),
            load -> topics(load, "replication", Perturbation::oneCopy));

    static final Perturbation TOPIC_CODEC = topicSetting("topicCodec", "compression.type");
    static final Perturbation TOPIC_FORMAT = topicSetting("topicFormat", "message.format.version");

    /** Places partitions on one broker fewer: on the brokers with the lowest ids. */
    static final Perturbation FEWER_BROKERS =
            new Perturbation(Sentence.of("diagnose.factor.brokers"), Perturbation::fewer);

    /** Places partitions round-robin, so that the partitions of the suspected broker are known and can be excluded. */
    static final Perturbation WITHOUT_BROKER =
            new Perturbation(Sentence.of("diagnose.factor.broker"), Perturbation::without);

    static final Perturbation CONSUMERS = factor(
            "consumers",
            load -> !load.scenario().consumers().isEmpty(),
            load -> Changed.of(
                    Sentence.of("diagnose.change.consumers"), load.scenario().with(Scenario.CONSUMERS, List.of())));

    static final Perturbation ENGINE = factor("engine", load -> !load.lighter().isEmpty(), load -> {
        String engine = load.scenario().producers().get(0).engine();
        String lighter = load.lighter().get(0);
        return producers(load, "engine", p -> p.with(ProducerSpec.ENGINE, lighter), engine, lighter);
    });

    /** A change of a producer setting, with the same name in every language. */
    private static Perturbation setting(String name, Function<ProbedLoad, Changed> change) {
        return new Perturbation(Sentence.of("diagnose.setting", name), (load, where) -> change.apply(load));
    }

    private static Perturbation factor(
            String name, Predicate<ProbedLoad> applies, Function<ProbedLoad, Changed> change) {
        return new Perturbation(
                Sentence.of("diagnose.factor." + name),
                (load, where) -> applies.test(load) ? change.apply(load) : null);
    }

    private static long linger(ProbedLoad load) {
        return load.number("linger.ms", 5);
    }

    private static ProducerSpec unkeyed(ProducerSpec p) {
        return p.with(ProducerSpec.RECORD, p.record().with(RecordSpec.KEY, new KeySpec.None()));
    }

    private static Changed producers(
            ProbedLoad load, String change, UnaryOperator<ProducerSpec> each, Object... arguments) {
        return load.producers(Sentence.of("diagnose.change." + change, arguments), each);
    }

    private static Changed topics(ProbedLoad load, String change, UnaryOperator<TopicSpec> each) {
        return load.topics(Sentence.of("diagnose.change." + change), each);
    }

    private static TopicSpec topic(TopicSpec t, int partitions, int replication, int brokers) {
        return t.with(TopicSpec.PARTITIONS, partitions)
                .with(TopicSpec.REPLICATION, replication)
                .with(TopicSpec.BROKERS, brokers);
    }

    /** Removes, from the topics that the run creates, a setting that makes brokers rewrite records. */
    private static Perturbation topicSetting(String factor, String setting) {
        return factor(factor, load -> load.scenario().topics().stream().noneMatch(TopicSpec::existing), load -> {
            List<String> values = load.scenario().topics().stream()
                    .map(t -> t.config().get(setting))
                    .filter(Objects::nonNull)
                    .toList();
            return values.isEmpty()
                    ? null
                    : load.topics(Sentence.of("diagnose.change.leftOut", setting, values.get(0)), t -> {
                        Map<String, String> config = new TreeMap<>(t.config());
                        config.remove(setting);
                        return t.with(TopicSpec.CONFIG, config);
                    });
        });
    }

    /**
     * A topic with one replica and min.insync.replicas=1, because older brokers (3.3, but not 3.9) reject acks=all if a
     * topic has fewer replicas than min.insync.replicas.
     */
    private static TopicSpec oneCopy(TopicSpec t) {
        Map<String, String> config = new TreeMap<>(t.config());
        config.put("min.insync.replicas", "1");
        return topic(t, t.partitions(), 1, t.brokers()).with(TopicSpec.CONFIG, config);
    }

    /**
     * Places the partitions on fewer brokers; null if the slow broker would remain, because the change would then not
     * help.
     */
    private static @Nullable Changed fewer(ProbedLoad load, @Nullable Sentence where) {
        List<Integer> ids = load.brokers();
        int widest = load.scenario().topics().stream()
                .mapToInt(t -> Math.min(t.partitions(), t.brokers() == 0 ? ids.size() : t.brokers()))
                .max()
                .orElse(1);
        int kept = Math.min(widest, ids.size()) - 1;
        boolean stays = where != null
                && ids.stream()
                        .limit(Math.max(0, kept))
                        .map(BrokerEvidence::name)
                        .anyMatch(where::equals);
        return load.placed() || load.replicated() || kept < 1 || stays
                ? null
                : topics(load, "brokers", t -> topic(t, t.partitions(), 1, kept));
    }

    private static @Nullable Changed without(ProbedLoad load, @Nullable Sentence where) {
        List<Integer> ids = load.brokers();
        Integer slow = ids.stream()
                .filter(id -> where != null && where.equals(BrokerEvidence.name(id)))
                .findFirst()
                .orElse(null);
        int least = load.scenario().topics().stream()
                .mapToInt(TopicSpec::partitions)
                .min()
                .orElse(0);
        List<Integer> others = IntStream.range(0, ids.isEmpty() ? 0 : least)
                .filter(p -> !ids.get(p % ids.size()).equals(slow))
                .boxed()
                .toList();
        if (slow == null || others.isEmpty() || load.placed() || load.replicated()) {
            return null;
        }
        List<TopicSpec> topics = load.scenario().topics().stream()
                .map(t -> topic(t, t.partitions(), t.replication(), ids.size()))
                .toList();
        List<ProducerSpec> producers = load.scenario().producers().stream()
                .map(p -> p.with(ProducerSpec.PARTITIONS, others))
                .toList();
        Scenario changed = load.scenario().with(Scenario.TOPICS, topics).with(Scenario.PRODUCERS, producers);
        return Changed.of(Sentence.of("diagnose.change.broker", slow), changed);
    }

    /** @param change such as {@code acks all → 1} */
    record Changed(Sentence change, Scenario scenario) {
        /** A changed load; its trial runs to the end even if checks fail. */
        static Changed of(Sentence change, Scenario other) {
            return new Changed(change, other.with(Scenario.ABORT_ON_FAIL, false));
        }
    }
}
