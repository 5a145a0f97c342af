package io.plimsoll.run;

import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerLoad;
import io.plimsoll.load.Slice;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ConsumerKeys;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.ProducerKeys;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioKeys;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * A trial's load reduced for a null broker: the same client kinds, records, codec, and acknowledgements, but few
 * clients, one member per group, no security, and no transactions.
 */
final class WarmLoad {
    private static final int MOST_CLIENTS = 2;
    private static final int MOST_THREADS = 2;
    private static final int MOST_PARTITIONS = 32;
    /** Assumed partitions of an existing topic. */
    private static final int USUAL_PARTITIONS = 6;

    private static final double PACED_RECORDS_PER_SECOND = 5000;
    private static final double PACED_BYTES_PER_SECOND = 20e6;
    /** Size of a preexisting log: more than can be read in seconds. */
    private static final long LOG_RECORDS = 1L << 50;

    private static final int USUAL_BYTES = 1000;
    private static final int MOST_LOGGED_BYTES = 1 << 20;
    private static final int RECORD_OVERHEAD_BYTES = 9;

    /** Properties that connect elsewhere, refer to cluster resources, or run user code. */
    private static final List<String> FOREIGN_PREFIXES = List.of("sasl.", "ssl.", "security.", "bootstrap.");

    private static final Set<String> FOREIGN = Set.of(
            "client.id",
            "transactional.id",
            "interceptor.classes",
            "metric.reporters",
            "partitioner.class",
            "partition.assignment.strategy",
            "group.id",
            "group.instance.id",
            "group.protocol",
            "group.remote.assignor",
            "auto.offset.reset",
            "client.dns.lookup");

    private final TrialAssignment trial;
    private final List<ProducerSpec> producers = new ArrayList<>();
    private final List<ConsumerSpec> consumers = new ArrayList<>();
    private final Set<Sentence> without = new LinkedHashSet<>();

    WarmLoad(TrialAssignment trial) {
        this.trial = trial;
        Scenario scenario = trial.scenario();
        for (int i = 0; i < scenario.producers().size(); i++) {
            producer(scenario.producers().get(i), trial.producers().get(i));
        }
        for (int i = 0; i < scenario.consumers().size(); i++) {
            consumer(scenario.consumers().get(i), trial.consumers().get(i));
        }
        if (isSecured(trial.context().clientProperties())) {
            without.add(Sentence.of("run.selfWarmup.security"));
        }
    }

    boolean isEmpty() {
        return producers.isEmpty() && consumers.isEmpty();
    }

    List<Sentence> without() {
        return List.copyOf(without);
    }

    /** Whether the trial has a schedule. */
    boolean paced() {
        return trial.scenario().producers().stream().anyMatch(p -> !(p.rate() instanceof Rate.Unlimited));
    }

    private void producer(ProducerSpec spec, Slice here) {
        LoadKind kind = LoadKind.of(spec.engine());
        if (here.count() == 0 || !usable(kind)) {
            return;
        }
        if (spec.transactions().enabled()) {
            without.add(Sentence.of("run.selfWarmup.transactions"));
        }
        Predicate<Key<?>> dropped = key -> key.equals(ProducerKeys.TRANSACTIONS)
                || key.equals(ProducerKeys.RECORDS)
                || key.equals(ProducerKeys.DURATION)
                || key.equals(ProducerKeys.ON)
                || key.equals(ProducerKeys.REPLY)
                || kind.producerKeys().contains(key);
        Settings kept = spec.settings().without(dropped);
        producers.add(new ProducerSpec(kept)
                .with(ProducerKeys.CLIENTS, Math.min(MOST_CLIENTS, here.count()))
                .with(ProducerKeys.THREADS, Math.min(MOST_THREADS, spec.threads()))
                .with(ProducerKeys.CONFIG, own(spec.config())));
    }

    private void consumer(ConsumerSpec spec, Slice here) {
        LoadKind kind = LoadKind.of(spec.engine());
        if (here.count() == 0 || !usable(kind)) {
            return;
        }
        consumers.add(ConsumerSpec.of(spec.topics())
                .with(ConsumerKeys.ENGINE, spec.engine())
                .with(ConsumerKeys.COMMIT, spec.commit())
                .with(ConsumerKeys.CONFIG, own(spec.config())));
    }

    private boolean usable(LoadKind kind) {
        if (!kind.calibrated()) {
            without.add(Sentence.of("run.selfWarmup.kind", kind.name()));
        }
        return kind.calibrated();
    }

    private Map<String, String> own(Map<String, String> config) {
        Map<String, String> kept = new TreeMap<>(config);
        if (isSecured(config)) {
            without.add(Sentence.of("run.selfWarmup.security"));
        }
        kept.keySet()
                .removeIf(name ->
                        FOREIGN.contains(name) || FOREIGN_PREFIXES.stream().anyMatch(name::startsWith));
        return kept;
    }

    private static boolean isSecured(Map<String, ?> properties) {
        Object protocol = properties.get("security.protocol");
        return protocol != null && !"PLAINTEXT".equals(protocol.toString());
    }

    /** The load at full speed or on a schedule. */
    Scenario scenario(boolean atPace, Duration limit) {
        List<ProducerSpec> loads = new ArrayList<>();
        for (ProducerSpec spec : producers) {
            loads.add(spec.with(ProducerKeys.RATE, atPace ? pace(spec) : Rate.UNLIMITED));
        }
        return Scenario.of("self-warmup")
                .with(ScenarioKeys.TOPICS, List.copyOf(topics()))
                .with(ScenarioKeys.PRODUCERS, loads)
                .with(ScenarioKeys.CONSUMERS, List.copyOf(consumers))
                .with(ScenarioKeys.WARMUP, Optional.of(Warmup.NO_TIME))
                .with(ScenarioKeys.DURATION, limit);
    }

    private Rate pace(ProducerSpec spec) {
        double bytes = Math.max(1, sample(spec).meanPayloadBytes());
        double rate = Math.min(PACED_RECORDS_PER_SECOND, PACED_BYTES_PER_SECOND / bytes);
        return new Rate.Constant(new Rate.Quantity(Math.max(1, rate), Rate.Unit.RECORDS));
    }

    private RecordGenerator sample(ProducerSpec spec) {
        return ProducerLoad.sample(plain(), spec, "producers");
    }

    /** A context without cluster resources. */
    private LoadContext plain() {
        LoadContext of = trial.context();
        return new LoadContext(Map.of("bootstrap.servers", "127.0.0.1:9"), of.runTag(), of.runId(), of.seed(), n -> {});
    }

    private List<TopicSpec> topics() {
        Map<String, TopicSpec> known = new HashMap<>();
        trial.scenario().topics().forEach(topic -> known.put(topic.name(), topic));
        return Stream.concat(
                        producers.stream().flatMap(p -> p.topics().stream()),
                        consumers.stream().flatMap(c -> c.topics().stream()))
                .distinct()
                .map(name -> known.getOrDefault(name, TopicSpec.of(name)))
                .toList();
    }

    private int partitions(TopicSpec topic) {
        int named = producers.stream()
                .flatMap(p -> p.partitions().stream())
                .mapToInt(p -> p + 1)
                .max()
                .orElse(1);
        int wanted = topic.existing() ? Math.max(USUAL_PARTITIONS, topic.partitions()) : topic.partitions();
        return Math.max(named, Math.min(MOST_PARTITIONS, wanted));
    }

    /** Options of a null broker. Its log serves records like the producers', as many as they have sent. */
    NullBrokerOptions broker(long runId) {
        NullBrokerOptions options = new NullBrokerOptions();
        topics().forEach(topic -> options.topic(topic.name(), partitions(topic)));
        if (producers.isEmpty()) {
            return options.log(LOG_RECORDS, USUAL_BYTES, recordsOfBatch(USUAL_BYTES, 1 << 14), "none");
        }
        ProducerSpec spec = producers.get(0);
        ProducerConfig config = ClientProperties.config(plain(), spec, "producers");
        RecordGenerator generator = RecordGenerator.of(
                spec.record(),
                trial.context().seed(),
                0,
                1,
                runId,
                PayloadSource.load(spec.record(), trial.context().seed()),
                sample(spec).identifiable() && trial.context().trail() != null ? 0 : RecordGenerator.NOBODY);
        int bytes = Math.min(MOST_LOGGED_BYTES, Math.max(1, generator.maxValueBytes()));
        long[] sequence = {0};
        long epochNanos = System.currentTimeMillis() * 1_000_000;
        return options.log(
                        0,
                        bytes,
                        recordsOfBatch(bytes, config.getInt(ProducerConfig.BATCH_SIZE_CONFIG)),
                        config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG))
                .values(() -> generator.nextValue(sequence[0]++, epochNanos));
    }

    private static int recordsOfBatch(int recordBytes, int batchBytes) {
        return Math.max(1, Math.min(1000, batchBytes / (recordBytes + RECORD_OVERHEAD_BYTES)));
    }
}
