package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.IncidentWords;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Progress;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Injects a stall, a quota and a loss of acknowledged records into its own lab, and compares the reports of runs with
 * independent evidence: the clock around the pause, the configured quota, and a plain consumer. Not thread-safe.
 */
public final class SelfTest implements AutoCloseable {
    /** The injected problems, in this order. */
    public enum Plant {
        /** Broker 1 is paused for a short time. */
        STALL,
        /** Clients may send at most {@link #QUOTA_BYTES} bytes per second. */
        QUOTA,
        /** The leader is killed after it acknowledged records that its follower lacks. */
        LOSS;

        /** The name in results. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The result for one injected problem.
     *
     * @param witness the problem according to the independent evidence
     * @param reported the problem as reported by the run
     * @param found whether both agree
     */
    public record Outcome(Plant plant, Sentence witness, Sentence reported, boolean found) {}

    private static final long PAUSE_MILLIS = 800;
    private static final double MOST_OFF_SECONDS = 0.1;
    /** Time in seconds within which the resumed broker acknowledges the waiting records, one after the other. */
    private static final double CATCHING_UP_SECONDS = 0.5;

    private static final double QUOTA_BYTES = 200e3;
    private static final double QUOTA_TOLERANCE = 0.1;
    /** Time of the injection since the trial's start; the window begins after 4 s. */
    private static final long PLANT_AT_NANOS = TimeUnit.SECONDS.toNanos(7);

    /** Followers wait longer for data than a run lasts, and a quota takes effect within 2 s. */
    private static final Map<String, String> BROKERS = Map.of(
            "quota.window.num", "2",
            "replica.fetch.min.bytes", "1000000000",
            "replica.fetch.wait.max.ms", "30000",
            "replica.socket.timeout.ms", "60000",
            "replica.lag.time.max.ms", "60000");

    private final Path out;
    private final Lab lab;
    private final Map<String, Object> properties;

    /**
     * Starts the lab.
     *
     * @param out parent of the run directories
     */
    public SelfTest(Path out) {
        this.out = out;
        this.lab = Lab.start(LabOptions.ephemeral(3).withBrokerConfig(BROKERS));
        this.properties = Map.of("bootstrap.servers", lab.bootstrapServers());
    }

    /**
     * Runs a load of at most 12 s with this problem.
     *
     * @throws PlimsollException if the run ended early
     */
    public Outcome run(Plant plant) throws Exception {
        return switch (plant) {
            case STALL -> stall();
            case QUOTA -> quota();
            case LOSS -> loss();
        };
    }

    private Outcome stall() throws Exception {
        // Clock readings before and after each signal, because a signal takes time on a busy host.
        long[] signals = new long[4];
        TrialResult trial = measured(Plant.STALL, "1000/s, record: {size: 100}", "acks: all", List.of(1), () -> {
            signals[0] = System.currentTimeMillis();
            lab.pause(1);
            signals[1] = System.currentTimeMillis();
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            signals[2] = System.currentTimeMillis();
            lab.resume(1);
            signals[3] = System.currentTimeMillis();
            return null;
        });
        double start =
                Objects.requireNonNull(trial.course().startedAt(), trial.name()).toEpochMilli();
        double[] at = LongStream.of(signals).mapToDouble(s -> (s - start) / 1e3).toArray();
        double from = at[1];
        double to = at[3];
        Optional<SlowMoment> moment = trial.detail().slowMoments().stream()
                .filter(m -> m.fromSeconds() < to && m.toSeconds() > from)
                .findFirst();
        Optional<SlowMoment.Cause> cause =
                moment.flatMap(m -> m.causes().stream().findFirst());
        boolean found = moment.filter(m -> m.brokers().equals(List.of(1))
                                && m.fromSeconds() >= at[0] - MOST_OFF_SECONDS
                                && m.fromSeconds() <= at[1] + MOST_OFF_SECONDS
                                && m.toSeconds() >= at[2] - MOST_OFF_SECONDS
                                && m.toSeconds() <= to + CATCHING_UP_SECONDS)
                        .isPresent()
                && cause.filter(c -> c.event().equals(Incident.Kind.PROCESS_PAUSE.word()))
                        .isPresent();
        Object longest = moment.map(m -> Units.micros(m.worstMicros())).orElse("–");
        return new Outcome(
                Plant.STALL,
                Sentence.of("run.selfTest.paused", seconds(from), seconds(to)),
                moment.map(m -> Sentence.of(
                                "run.selfTest.moment",
                                seconds(m.fromSeconds()),
                                seconds(m.toSeconds()),
                                longest,
                                cause.map(IncidentWords::of).orElse(Sentence.of("run.selfTest.noCause"))))
                        .orElseGet(() -> Sentence.of("run.selfTest.noMoment")),
                found);
    }

    private Outcome quota() throws Exception {
        alterQuota(QUOTA_BYTES);
        TrialResult trial = measured(Plant.QUOTA, "40/s, record: {size: 10KB}", "acks: all", List.of(2), () -> null);
        alterQuota(null);
        double rate = Optional.ofNullable(trial.produce())
                .map(produce -> produce.volume().bytesPerSecond())
                .orElse(0.0);
        Limits limits = trial.judgement().limits();
        Optional<Sentence> first =
                Optional.ofNullable(limits).map(Limits::first).map(Limits.Suspect::limit);
        boolean named = first.filter(limit -> "diagnose.cause.quota".equals(limit.key()))
                .isPresent();
        return new Outcome(
                Plant.QUOTA,
                Sentence.of("run.selfTest.quota", Units.byteRate(QUOTA_BYTES)),
                Sentence.of(
                        "run.selfTest.rate", Units.byteRate(rate), first.orElse(Sentence.of("run.selfTest.noCause"))),
                named && Math.abs(rate / QUOTA_BYTES - 1) <= QUOTA_TOLERANCE);
    }

    private Outcome loss() throws Exception {
        TrialResult trial = measured(
                Plant.LOSS,
                "1000/s, record: {size: 100}",
                "acks: '1', enable.idempotence: false, retries: 0",
                List.of(3, 2),
                () -> {
                    lab.kill(3);
                    return null;
                });
        Optional<AuditResult.Counts> counts = Optional.ofNullable(trial.audit()).map(AuditResult::counts);
        long acknowledged = counts.map(AuditResult.Counts::acknowledged).orElse(0L);
        long lost = counts.map(AuditResult.Counts::lost).orElse(0L);
        long readable = readable(topic(Plant.LOSS));
        return new Outcome(
                Plant.LOSS,
                Sentence.of(
                        "run.selfTest.killed",
                        Units.count(acknowledged),
                        Units.count(readable),
                        Units.count(acknowledged - readable)),
                Sentence.of("run.selfTest.lost", Units.count(lost)),
                lost > 0 && lost == acknowledged - readable);
    }

    private static String seconds(double seconds) {
        return Units.decimals(seconds, 2);
    }

    private static String topic(Plant plant) {
        return "plimsoll-selftest-" + plant.word();
    }

    /** Runs a load on one partition with these replicas, and injects the problem in the measured window. */
    private TrialResult measured(Plant plant, String rate, String config, List<Integer> replicas, Callable<?> deed)
            throws Exception {
        String topic = topic(plant);
        try (Admin admin = Admin.create(properties)) {
            admin.createTopics(List.of(new NewTopic(topic, Map.of(0, replicas))))
                    .all()
                    .get();
        }
        String yaml = """
                name: %1$s
                topics: [{name: %1$s, existing: true}]
                producers: [{topic: %1$s, rate: %2$s, config: {%3$s}}]
                warmup: 4s
                duration: 8s
                audit: true
                """.formatted(topic, rate, config);
        RunRequest request = RunRequest.of(
                        ScenarioReader.read(yaml, topic, List.of(), 1),
                        out,
                        List.of("plimsoll", "selftest"),
                        ToolInfo.ofRun())
                .with(draft -> draft.cluster = Optional.of(new ClusterConnection(lab.bootstrapServers(), Map.of())));
        FutureTask<?> planted = new FutureTask<>(deed);
        Thread planting = new Thread(planted, "plimsoll-selftest");
        Run.Finished finished = new Run(request, atTime(planting::start)).execute();
        if (finished.failure() != null) {
            throw finished.failure();
        }
        planted.get(1, TimeUnit.MINUTES);
        return finished.result().trials().get(0);
    }

    private static Progress atTime(Runnable plant) {
        return new Progress() {
            private boolean begun;

            @Override
            public synchronized void snapshot(Snapshot snapshot) {
                if (!begun && snapshot.toNanos() >= PLANT_AT_NANOS) {
                    begun = true;
                    plant.run();
                }
            }

            @Override
            public void close() {}
        };
    }

    /** Sets the default client quota; null removes it. */
    private void alterQuota(@Nullable Double bytesPerSecond) throws Exception {
        ClientQuotaEntity all = new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.CLIENT_ID, null));
        try (Admin admin = Admin.create(properties)) {
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            all, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", bytesPerSecond)))))
                    .all()
                    .get();
        }
    }

    /** Number of records in a topic, counted by a plain consumer. */
    private long readable(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            long count = 0;
            while (consumer.position(partition) < end) {
                count += consumer.poll(Duration.ofSeconds(1)).count();
            }
            return count;
        }
    }

    @Override
    public void close() {
        lab.close();
    }
}
