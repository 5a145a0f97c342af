package io.plimsoll.run;

import io.plimsoll.load.LoadKind;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.ProducerKeys;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordKeys;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioKeys;
import io.plimsoll.scenario.TopicKeys;
import io.plimsoll.scenario.TopicSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Scenarios that differ from a given one in a single factor, each with the limits that this would lift. */
final class Perturbations {
    private static final int MANY_FOLD = 8;
    private static final int LEAST_BATCH_BYTES = 131_072;
    private static final long LEAST_BUFFER_BYTES = 33_554_432L;
    private static final int MOST_IDEMPOTENT = 5;

    /**
     * @param factor such as {@code acks}
     * @param change such as {@code acks all -> 1}
     * @param limits names of causes that it would lift, or at least ease
     */
    record Change(String factor, String change, List<String> limits, Scenario scenario) {}

    private final Scenario scenario;
    private final List<Change> changes = new ArrayList<>();

    private Perturbations(Scenario scenario) {
        this.scenario = scenario;
    }

    /**
     * All that make sense with this scenario, in no order. A quota is not ours to touch.
     *
     * @param slow the broker that is suspected to be slow, if one is
     * @param brokers ids of all
     */
    static List<Change> of(Scenario scenario, OptionalInt slow, List<Integer> brokers) {
        Perturbations p = new Perturbations(scenario);
        slow.ifPresent(broker -> p.without(broker, brokers));
        p.settings();
        p.keys();
        p.clients();
        p.topics();
        p.consumers();
        p.engines();
        return List.copyOf(p.changes);
    }

    private void settings() {
        Map<String, String> config = scenario.producers().get(0).config();
        long batch = number(config, "batch.size", 16_384);
        long larger = Math.max(LEAST_BATCH_BYTES, batch * MANY_FOLD);
        setting(
                "batch.size",
                batch,
                Map.of("batch.size", String.valueOf(larger), "linger.ms", String.valueOf(Math.max(5, linger(config)))),
                List.of(
                        "small batches",
                        "brokers or network",
                        "producer latency-bound",
                        "request handlers",
                        "log flush",
                        "log append",
                        "network threads",
                        "broker CPU"));
        long inFlight = number(config, "max.in.flight.requests.per.connection", MOST_IDEMPOTENT);
        if (inFlight < MOST_IDEMPOTENT) {
            setting(
                    "max.in.flight.requests.per.connection",
                    inFlight,
                    Map.of("max.in.flight.requests.per.connection", String.valueOf(MOST_IDEMPOTENT)),
                    List.of("producer latency-bound"));
        }
        long buffer = number(config, "buffer.memory", LEAST_BUFFER_BYTES);
        setting(
                "buffer.memory",
                buffer,
                Map.of("buffer.memory", String.valueOf(Math.max(LEAST_BUFFER_BYTES, buffer * MANY_FOLD))),
                List.of("buffer.memory"));
        if (linger(config) > 0) {
            setting("linger.ms", linger(config), Map.of("linger.ms", "0"), List.of("linger.ms"));
        }
        String acks = config.getOrDefault("acks", "all");
        boolean transactional =
                scenario.producers().stream().anyMatch(p -> p.transactions().enabled());
        if (!transactional && (acks.equals("all") || acks.equals("-1"))) {
            add(
                    "acks",
                    "acks all → 1",
                    List.of("replication", "brokers or network"),
                    producers(p -> config(p, Map.of("acks", "1", "enable.idempotence", "false"))));
        }
    }

    private static long linger(Map<String, String> config) {
        return number(config, "linger.ms", 5);
    }

    private static long number(Map<String, String> config, String name, long otherwise) {
        try {
            return Long.parseLong(config.getOrDefault(name, String.valueOf(otherwise)));
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    private void setting(String name, long before, Map<String, String> to, List<String> limits) {
        add(name, name + " " + before + " → " + to.get(name), limits, producers(p -> config(p, to)));
    }

    private void keys() {
        boolean keyed = scenario.producers().stream().anyMatch(p -> !(p.record().key() instanceof KeySpec.None));
        if (keyed) {
            add("keys", "keys → none", List.of("one hot partition"), producers(p -> record(p, unkeyed(p.record()))));
        }
    }

    private static RecordSpec unkeyed(RecordSpec r) {
        return r.with(RecordKeys.KEY, new KeySpec.None());
    }

    private void clients() {
        ProducerSpec first = scenario.producers().get(0);
        add(
                "clients",
                "producer clients × 2",
                List.of("producer latency-bound", "client quota", "load generator", "buffer.memory"),
                producers(p -> p.with(ProducerKeys.CLIENTS, p.clients() * 2)),
                first.clients() < 1_000);
    }

    private void topics() {
        boolean fixed = scenario.topics().stream().anyMatch(TopicSpec::existing)
                || scenario.producers().stream().anyMatch(p -> !p.partitions().isEmpty());
        add(
                "partitions",
                "partitions × 2",
                List.of("one hot partition", "log append"),
                topics(t -> t.with(TopicKeys.PARTITIONS, t.partitions() * 2)),
                !fixed);
        boolean copies = scenario.topics().stream().anyMatch(t -> t.replication() > 1);
        add(
                "replication",
                "replication → 1",
                List.of("replication", "one slow broker"),
                topics(t -> t.with(TopicKeys.REPLICATION, 1)),
                copies && !fixed);
        int widest =
                scenario.topics().stream().mapToInt(TopicSpec::partitions).max().orElse(1);
        add(
                "brokers",
                "partitions on one broker less",
                List.of("one slow broker"),
                topics(t -> t.with(TopicKeys.REPLICATION, 1).with(TopicKeys.BROKERS, Math.max(1, widest - 1))),
                !fixed && widest > 1 && !copies);
    }

    /** Partitions placed in turn, so that it is known which are on that broker; these get nothing. */
    private void without(int slow, List<Integer> brokers) {
        List<Integer> ids = brokers.stream().sorted().toList();
        boolean fixed = scenario.topics().stream().anyMatch(t -> t.existing() || t.replication() > 1)
                || scenario.producers().stream().anyMatch(p -> !p.partitions().isEmpty());
        int least =
                scenario.topics().stream().mapToInt(TopicSpec::partitions).min().orElse(0);
        List<Integer> others = IntStream.range(0, least)
                .filter(p -> ids.get(p % ids.size()) != slow)
                .boxed()
                .toList();
        add(
                "broker",
                "broker " + slow + " → left out",
                List.of("one slow broker"),
                with(
                        scenario.topics().stream()
                                .map(t -> t.with(TopicKeys.BROKERS, ids.size()))
                                .toList(),
                        scenario.producers().stream().map(p -> to(p, others)).toList(),
                        scenario.consumers()),
                !fixed && !others.isEmpty() && ids.contains(slow));
    }

    private void consumers() {
        if (scenario.consumers().isEmpty()) {
            return;
        }
        add(
                "consumers",
                "consumers → none",
                List.of("slow consumer", "fetching", "page-cache misses", "broker CPU", "CPU of this host"),
                with(scenario.topics(), scenario.producers(), List.of()));
    }

    private void engines() {
        for (LoadKind kind : LoadKind.all()) {
            boolean lightens = kind.producers().isPresent()
                    && scenario.producers().stream().allMatch(kind.producers().get()::lightens);
            if (lightens) {
                add(
                        "engine",
                        "engine " + scenario.producers().get(0).engine() + " → " + kind.name(),
                        List.of("load generator", "CPU of this host", "garbage collection"),
                        producers(p -> p.with(ProducerKeys.ENGINE, kind.name())));
            }
        }
    }

    private void add(String factor, String change, List<String> limits, Scenario changed) {
        add(factor, change, limits, changed, true);
    }

    private void add(String factor, String change, List<String> limits, Scenario changed, boolean possible) {
        if (possible) {
            changes.add(new Change(factor, change, limits, changed));
        }
    }

    private static ProducerSpec config(ProducerSpec p, Map<String, String> more) {
        Map<String, String> config = new TreeMap<>(p.config());
        config.putAll(more);
        return p.with(ProducerKeys.CONFIG, config);
    }

    private static ProducerSpec record(ProducerSpec p, RecordSpec record) {
        return p.with(ProducerKeys.RECORD, record);
    }

    private static ProducerSpec to(ProducerSpec p, List<Integer> partitions) {
        return p.with(ProducerKeys.PARTITIONS, partitions);
    }

    private Scenario producers(UnaryOperator<ProducerSpec> change) {
        return with(scenario.topics(), scenario.producers().stream().map(change).toList(), scenario.consumers());
    }

    private Scenario topics(UnaryOperator<TopicSpec> change) {
        return with(scenario.topics().stream().map(change).toList(), scenario.producers(), scenario.consumers());
    }

    private Scenario with(List<TopicSpec> topics, List<ProducerSpec> producers, List<ConsumerSpec> consumers) {
        return scenario.with(ScenarioKeys.TOPICS, topics)
                .with(ScenarioKeys.PRODUCERS, producers)
                .with(ScenarioKeys.CONSUMERS, consumers)
                .with(ScenarioKeys.ABORT_ON_FAIL, false);
    }
}
