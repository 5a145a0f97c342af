package io.plimsoll.run;

import com.sun.management.OperatingSystemMXBean;
import io.plimsoll.Daemon;
import io.plimsoll.audit.JournalWriter;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerLoad;
import io.plimsoll.load.Slice;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBroker.NullBrokerStats;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.stats.Spread;
import io.plimsoll.text.Sentence;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs this process's own code before a trial, so that the JIT compiler has compiled it by then. Clients of the same
 * kinds as in the trial run against an in-process null broker, first at full speed, then on a schedule if the trial has
 * one. The warm-up has its own clients, meters, identities, and broker. Its records never reach the cluster.
 */
public final class SelfWarming {
    private static final Logger LOG = LoggerFactory.getLogger(SelfWarming.class);
    private static final long SLICE_MILLIS = 150;
    private static final double FULL_SPEED_SHARE = 0.6;
    private static final long END_MILLIS = 1000;
    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final WarmLoad load;
    private final NullBroker broker;
    private final LoadContext context;
    private final BooleanSupplier stopped;
    private final JournalWriter journal;
    /** The error that ended the warm-up. */
    private volatile @Nullable RuntimeException failure;

    private volatile boolean ending;

    private SelfWarming(WarmLoad load, TrialAssignment trial, NullBroker broker, long runId, BooleanSupplier stopped) {
        this.load = load;
        this.broker = broker;
        this.stopped = stopped;
        LoadContext of = trial.context();
        Map<String, Object> connection = new ClusterConnection(broker.bootstrapServers(), Map.of()).clientProperties();
        LoadContext plain = new LoadContext(connection, "plimsoll-warm-" + of.runTag(), runId, of.seed(), note -> {});
        this.context = of.trail() == null ? plain : plain.with(new AuditTrail(runId));
        this.journal = new JournalWriter(trial.scenario().producedTopics());
    }

    /**
     * Warms up the process with this name; ends early if {@code stopped} returns true. Empty if the trial requests no
     * warm-up.
     */
    public static List<SelfWarmup> of(String worker, TrialAssignment trial, BooleanSupplier stopped) {
        if (trial.selfWarmup().isZero()) {
            return List.of();
        }
        long start = System.nanoTime();
        WarmLoad load = new WarmLoad(trial);
        if (load.isEmpty()) {
            return List.of(new SelfWarmup(worker, 0, 0, SelfWarmup.FAILED, load.without()));
        }
        long runId = new SplittableRandom(trial.context().runId()).nextLong() | 1;
        long records;
        String end;
        try (NullBroker broker = NullBroker.start(load.broker(runId))) {
            end = new SelfWarming(load, trial, broker, runId, stopped).run(trial.selfWarmup());
            records = records(broker.stats());
        }
        // Collect the garbage of the warm-up before the measurement.
        System.gc();
        return List.of(new SelfWarmup(worker, (System.nanoTime() - start) / 1e9, records, end, load.without()));
    }

    private static long records(NullBrokerStats stats) {
        return stats.records() + stats.fetched().records();
    }

    private String run(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        boolean paced = load.paced();
        long first = paced ? Math.round(limit.toNanos() * FULL_SPEED_SHARE) : limit.toNanos();
        boolean steady = phase(false, System.nanoTime() + first);
        if (paced && failure == null && !stopped.getAsBoolean()) {
            steady &= phase(true, deadline);
        }
        if (failure != null) {
            LOG.warn("The load generator could not warm itself", failure);
            return SelfWarmup.FAILED;
        }
        return steady ? SelfWarmup.STEADY : SelfWarmup.LIMIT;
    }

    /** @return whether the load became steady before the deadline */
    private boolean phase(boolean atPace, long deadlineNanos) {
        Scenario scenario = load.scenario(atPace, Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime())));
        try (Admin admin = new ClusterConnection(broker.bootstrapServers(), Map.of()).admin()) {
            ending = false;
            Topics topics = new Topics(admin);
            LocalWorker worker = new LocalWorker("self-warmup", topics);
            Thread thread = Daemon.start("plimsoll-self-warmup", () -> work(worker, topics, scenario));
            try {
                return watch(thread, deadlineNanos);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                end(worker, thread);
            }
        }
    }

    private void work(LocalWorker worker, Topics topics, Scenario scenario) {
        try {
            worker.prepare(new TrialAssignment("self-warmup", scenario, context, EndToEndSource.STAMP));
            if (context.trail() != null) {
                Map<TopicPartition, Long> ends = topics.endOffsets(scenario.producedTopics());
                context.trail().begin(ends);
            }
            worker.run(snapshot -> {});
        } catch (RuntimeException e) {
            // While the warm-up is ending, an interrupted preparation is not a failure.
            failure = ending ? null : e;
        }
    }

    private boolean watch(Thread thread, long deadlineNanos) throws InterruptedException {
        Rest rest = new Rest();
        Mark last = mark();
        while (thread.isAlive() && System.nanoTime() < deadlineNanos && !stopped.getAsBoolean()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            thread.join(Math.max(1, Math.min(SLICE_MILLIS, left)));
            journal.begin(0);
            if (context.trail() != null) {
                context.trail().drain(journal);
            }
            Mark now = mark();
            if (now.records > last.records) {
                rest.add(now.rate(last), now.cpuNanosPerRecord(last), now.compilingShare(last));
            }
            last = now;
            if (rest.reached()) {
                return true;
            }
        }
        return false;
    }

    private void end(LocalWorker worker, Thread thread) {
        ending = true;
        worker.abandon();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(END_MILLIS);
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(END_MILLIS);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Mark mark() {
        NullBrokerStats stats = broker.stats();
        return new Mark(
                System.nanoTime(), PROCESS.getProcessCpuTime(), COMPILER.getTotalCompilationTime(), records(stats));
    }

    /** Progress up to a point in time. Includes the CPU time of the null broker, because its code is also compiled. */
    private record Mark(long atNanos, long cpuNanos, long compiledMillis, long records) {
        double rate(Mark before) {
            return (records - before.records) * 1e9 / (atNanos - before.atNanos);
        }

        double cpuNanosPerRecord(Mark before) {
            return (double) (cpuNanos - before.cpuNanos) / (records - before.records);
        }

        /** Share of the time in which compiler threads ran. */
        double compilingShare(Mark before) {
            return (compiledMillis - before.compiledMillis) * 1e6 / (atNanos - before.atNanos);
        }
    }

    /**
     * Detects steady throughput and CPU per record from equal slices: the medians of the last {@value #WINDOW} slices
     * differ by at most {@value #TOLERANCE} (relative) from the medians of the {@value #WINDOW} slices before, and the
     * compiler was mostly idle. The compiler works from a queue, so the load can be steady long before the compiler has
     * finished.
     */
    static final class Rest {
        private static final int WINDOW = 4;
        private static final double TOLERANCE = 0.1;
        private static final double COMPILING = 0.15;
        private final List<double[]> slices = new ArrayList<>();

        void add(double recordsPerSecond, double cpuNanosPerRecord, double compilingShare) {
            slices.add(new double[] {recordsPerSecond, cpuNanosPerRecord, compilingShare});
        }

        boolean reached() {
            return slices.size() >= 2 * WINDOW && even(0) && even(1) && compiled();
        }

        private boolean compiled() {
            double sum = 0;
            for (double[] slice : slices.subList(slices.size() - 2 * WINDOW, slices.size())) {
                sum += slice[2];
            }
            return sum <= COMPILING * 2 * WINDOW;
        }

        private boolean even(int figure) {
            int end = slices.size();
            double before = median(figure, end - 2 * WINDOW);
            return Math.abs(median(figure, end - WINDOW) - before) <= TOLERANCE * before;
        }

        private double median(int figure, int from) {
            return Spread.median(slices.subList(from, from + WINDOW).stream()
                    .mapToDouble(slice -> slice[figure])
                    .toArray());
        }
    }

    /**
     * The trial's client kinds, records, codec, and acknowledgments, but with few clients, one member per group, no
     * security, and no transactions.
     */
    private static final class WarmLoad {
        private static final int MOST_CLIENTS = 2;
        private static final int MOST_THREADS = 2;
        private static final int MOST_PARTITIONS = 32;
        /** Assumed number of partitions of an existing topic. */
        private static final int USUAL_PARTITIONS = 6;

        private static final double PACED_RECORDS_PER_SECOND = 5000;
        private static final double PACED_BYTES_PER_SECOND = 20e6;
        /** Number of records in a preexisting log: more than can be read in the warm-up. */
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
            if (!ClientProperties.isPlaintext(trial.context().clientProperties())) {
                without.add(Sentence.of("run.selfWarmup.security"));
            }
        }

        boolean isEmpty() {
            return producers.isEmpty() && consumers.isEmpty();
        }

        List<Sentence> without() {
            return List.copyOf(without);
        }

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
            Predicate<Key<?>> dropped = key -> key.equals(ProducerSpec.TRANSACTIONS)
                    || key.equals(ProducerSpec.RECORDS)
                    || key.equals(ProducerSpec.DURATION)
                    || key.equals(ProducerSpec.ON)
                    || key.equals(ProducerSpec.REPLY)
                    || kind.producerKeys().contains(key);
            Settings kept = spec.settings().without(dropped);
            producers.add(new ProducerSpec(kept)
                    .with(ProducerSpec.CLIENTS, Math.min(MOST_CLIENTS, here.count()))
                    .with(ProducerSpec.THREADS, Math.min(MOST_THREADS, spec.threads()))
                    .with(ProducerSpec.CONFIG, own(spec.config())));
        }

        private void consumer(ConsumerSpec spec, Slice here) {
            LoadKind kind = LoadKind.of(spec.engine());
            if (here.count() == 0 || !usable(kind)) {
                return;
            }
            consumers.add(ConsumerSpec.of(spec.topics())
                    .with(ConsumerSpec.ENGINE, spec.engine())
                    .with(ConsumerSpec.COMMIT, spec.commit())
                    .with(ConsumerSpec.CONFIG, own(spec.config())));
        }

        private boolean usable(LoadKind kind) {
            if (!kind.calibrated()) {
                without.add(Sentence.of("run.selfWarmup.kind", kind.name()));
            }
            return kind.calibrated();
        }

        private Map<String, String> own(Map<String, String> config) {
            Map<String, String> kept = new TreeMap<>(config);
            if (!ClientProperties.isPlaintext(config)) {
                without.add(Sentence.of("run.selfWarmup.security"));
            }
            kept.keySet()
                    .removeIf(name ->
                            FOREIGN.contains(name) || FOREIGN_PREFIXES.stream().anyMatch(name::startsWith));
            return kept;
        }

        Scenario scenario(boolean atPace, Duration limit) {
            List<ProducerSpec> loads = new ArrayList<>();
            for (ProducerSpec spec : producers) {
                loads.add(spec.with(ProducerSpec.RATE, atPace ? pace(spec) : Rate.UNLIMITED));
            }
            return Scenario.of("self-warmup")
                    .with(Scenario.TOPICS, List.copyOf(topics()))
                    .with(Scenario.PRODUCERS, loads)
                    .with(Scenario.CONSUMERS, List.copyOf(consumers))
                    .with(Scenario.WARMUP, Optional.of(Warmup.NO_TIME))
                    .with(Scenario.DURATION, limit);
        }

        private Rate pace(ProducerSpec spec) {
            double bytes = Math.max(1, sample(spec).meanPayloadBytes());
            double rate = Math.min(PACED_RECORDS_PER_SECOND, PACED_BYTES_PER_SECOND / bytes);
            return new Rate.Constant(new Rate.Quantity(Math.max(1, rate), Rate.Unit.RECORDS));
        }

        private RecordGenerator sample(ProducerSpec spec) {
            return ProducerLoad.sample(plain(), spec, "producers");
        }

        private LoadContext plain() {
            LoadContext of = trial.context();
            return new LoadContext(
                    Map.of("bootstrap.servers", "127.0.0.1:9"), of.runTag(), of.runId(), of.seed(), n -> {});
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

        /**
         * Options of the null broker. Its log contains as many records as the producers have sent, with similar
         * contents.
         */
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
                    sample(spec).identifiable() && trial.context().trail() != null ? 0 : RecordGenerator.NO_PRODUCER);
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
}
