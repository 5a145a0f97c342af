package io.plimsoll.run;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.AckPulse;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.FaultResult;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Progress;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.AckedRecords;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of fault has its effect on real brokers, is marked, and is over at the end. */
@Order(1)
class FaultsTest {
    /** A crashed broker can return only after the session of its dead process has expired. */
    private static final Map<String, String> QUICK_RETURN =
            Map.of("broker.session.timeout.ms", "3000", "broker.heartbeat.interval.ms", "500");

    @TempDir
    Path out;

    private RunRequest request(String yaml) {
        return Runs.request(ScenarioReader.read(yaml, "test.yaml", List.of(), 1), out)
                .with(draft -> {
                    draft.brokerConfig = QUICK_RETURN;
                    draft.allowExec = true;
                });
    }

    private Run.Finished run(String yaml, Progress progress) throws Exception {
        Run.Finished finished = new Run(request(yaml), progress).execute();
        assertThat(finished.failure()).isNull();
        ResultSchema.assertValid(finished.result());
        ResultSchema.assertValid(finished.directory().resolve(RunDirectory.RESULT));
        return finished;
    }

    private static List<FaultMark> marks(Run.Finished finished) {
        try (RunDirectory directory = RunDirectory.open(finished.directory());
                Stream<TimelineEvent> timeline = directory.readTimeline()) {
            return timeline.filter(e -> e instanceof FaultMark)
                    .map(e -> (FaultMark) e)
                    .toList();
        }
    }

    @Test
    void eachKindTakesEffectIsMarkedAndEnds() throws Exception {
        Path told = out.resolve("told");
        Witness log = new Witness(out, "kinds", Duration.ofSeconds(1));
        Run.Finished finished = run("""
            name: kinds
            topics:
              - {name: kinds, partitions: 1, replication: 3, config: {min.insync.replicas: 2, message.timestamp.type: LogAppendTime}}
            producers: [{topic: kinds, rate: 300/s, record: {size: 100}, config: {acks: all, linger.ms: 0}}]
            consumers:
              - {topic: kinds, members: 2, config: {session.timeout.ms: 6000, heartbeat.interval.ms: 500}}
            warmup: 3s
            duration: 28s
            audit: true
            # A gap belongs to the latest fault at its end: on a busy host it ends seconds late.
            faults:
              - {at: 100ms, exec: 'echo $PLIMSOLL_BROKER_ID $PLIMSOLL_BROKER_HOST >>TOLD', on: leader of kinds-0, for: 1s, undo: echo undone >>TOLD}
              - {at: 500ms, killMember: any, restartAfter: 500ms}
              - {at: 2s, pause: leader of kinds-0, for: 1s}
              - {at: 8s, cut: leader of kinds-0, for: 1s}
              - {at: 14s, halfOpen: leader of kinds-0, for: 1s}
              - {at: 20s, slow: leader of kinds-0, delay: 300ms, jitter: 50ms, for: 1s}
              - {at: 23s, pauseMember: "consumers[0]", for: 200ms}
              - {at: 24s, stop: controller, restartAfter: 0s}
            """.replace("TOLD", told.toString()), log);

        List<FaultResult> faults = finished.result().trials().get(0).detail().faults();
        // In order of occurrence: starting a process may take longer than stopping one.
        assertThat(faults)
                .extracting(f -> f.deed().action())
                .containsExactlyInAnyOrder(
                        "exec", "killMember", "pause", "cut", "halfOpen", "slow", "pauseMember", "stop");
        assertThat(faults).extracting(f -> f.deed().outcome()).containsOnly("over");
        for (String stalling : List.of("pause", "cut", "halfOpen")) {
            FaultResult fault = of(faults, stalling);
            assertThat(fault.span().over() - fault.span().inEffect()).isGreaterThanOrEqualTo(1);
            // A client that waits for a core at that time sees acknowledgments late, which divides the gap.
            assertThat(fault.effect().longestGapSeconds()).as(fault.toString()).isGreaterThan(0.4);
            // Not 0, which would mean that it never dropped; on a busy machine it may not recover before the next
            // fault.
            assertThat((Object) fault.effect().throughputBackSeconds())
                    .as(fault.toString())
                    .isNotEqualTo(0.0);
            assertThat(fault.effect().worstResponseMicros()).isGreaterThan(900_000L);
        }
        double appends = silence(finished, of(faults, "pause"), AckPulse::appendSilences);
        assertThat(appends).isCloseTo(log.silence(finished, of(faults, "pause")), within(0.01));
        double silent = silence(finished, of(faults, "pause"), AckPulse::silences);
        assertThat(silent).isGreaterThan(0.4);
        // A follower's fetch waits up to half a second before the acknowledgment, and a busy host adds seconds.
        double logged = log.silence(finished, of(faults, "pause"));
        assertThat(silent).isBetween(logged - 0.75, logged + 5);
        // Both directions, plus a new connection for some.
        assertThat(of(faults, "slow").effect().worstResponseMicros()).isGreaterThan(500_000L);
        assertThat(of(faults, "stop").effect().underReplicated()).isPositive();
        assertThat(of(faults, "stop").effect().isrFullSeconds()).isPositive();
        TrialResult trial = finished.result().trials().get(0);
        assertThat(trial.audit().counts().lost()).isZero();
        assertThat(trial.consume().groups().get(0).rebalances()).isPositive();
        assertThat(Files.readAllLines(told)).hasSize(2).last().isEqualTo("undone");
        assertThat(Files.readAllLines(told).get(0)).matches("[123] 127\\.0\\.0\\.1");

        Map<Integer, List<FaultState>> states = marks(finished).stream()
                .collect(Collectors.groupingBy(
                        f -> f.deed().fault(), Collectors.mapping(FaultMark::state, Collectors.toList())));
        assertThat(states).hasSize(8);
        assertThat(states.values()).allSatisfy(s -> assertThat(s)
                .containsExactly(FaultState.ASKED, FaultState.IN_EFFECT, FaultState.OVER));
    }

    /** The longest silence of the only partition that began or ended during a fault, in seconds. */
    private static double silence(
            Run.Finished finished, FaultResult fault, Function<AckPulse, List<AckPulse.Silence>> told) {
        try (RunDirectory directory = RunDirectory.open(finished.directory());
                Stream<TimelineEvent> timeline = directory.readTimeline()) {
            return timeline.filter(e -> e instanceof TimelineEvent.Acknowledged)
                    .map(e -> told.apply(((TimelineEvent.Acknowledged) e).pulse()))
                    // A second without append times from brokers shows no appends.
                    .filter(Objects::nonNull)
                    .flatMap(List::stream)
                    .filter(s -> s.toNanos() / 1e9 >= fault.span().asked()
                            && s.fromNanos() / 1e9 <= fault.span().over())
                    .mapToDouble(s -> (s.toNanos() - s.fromNanos()) / 1e9)
                    .max()
                    .orElse(0);
        }
    }

    private static FaultResult of(List<FaultResult> faults, String action) {
        return faults.stream()
                .filter(f -> f.deed().action().equals(action))
                .findFirst()
                .orElseThrow();
    }

    @Tag("nightly")
    @Test
    void fullDiskStopsBrokerUntilSpaceReturns() throws Exception {
        Run.Finished finished = run("""
            name: disk
            topics: [{name: disk}]
            producers: [{topic: disk, rate: 300/s, record: {size: 1000}}]
            warmup: 1s
            duration: 8s
            audit: true
            faults: [{at: 1s, fillDisk: 1, for: 4s, diskSize: 128MiB}]
            """, Progress.NONE);
        TrialResult trial = finished.result().trials().get(0);
        FaultResult fault = trial.detail().faults().get(0);
        if (fault.deed().outcome().equals("skipped")) {
            assertThat(fault.deed().detail().english()).containsPattern(Said.en("lab.mayNotMount"));
        } else {
            assertThat(fault.deed().outcome()).as(fault.toString()).isEqualTo("over");
            assertThat(fault.effect().longestGapSeconds()).isGreaterThan(2);
            assertThat(trial.audit().counts().lost()).isZero();
        }
    }

    @Tag("nightly")
    @Test
    void brokerContinuesWithoutOneDisk() throws Exception {
        Run.Finished finished = run("""
            name: lost
            topics: [{name: lost, partitions: 8, replication: 2}]
            producers: [{topic: lost, rate: 300/s, record: {size: 1000}}]
            lab: {brokers: 3, disks: 2}
            warmup: 1s
            duration: 12s
            audit: true
            faults: [{at: 1s, loseDisk: 2, restartAfter: 7s}]
            """, Progress.NONE);
        TrialResult trial = finished.result().trials().get(0);
        FaultResult fault = trial.detail().faults().get(0);
        assertThat(fault.deed().outcome()).as(fault.toString()).isEqualTo("over");
        assertThat(fault.effect().underReplicated()).isPositive();
        assertThat(fault.effect().isrFullSeconds()).isPositive();
        assertThat(trial.audit().counts().lost()).isZero();
    }

    /** Reads the existing records with its own consumer, after the load and before the lab ends. */
    private static final class Witness implements Progress {
        private final Path runs;
        private final String topic;
        private final Duration quiet;
        private final Set<String> names = new HashSet<>();
        private final List<Long> timestamps = new ArrayList<>();

        /** @param quiet time without records after which it has read all of them */
        Witness(Path runs, String topic, Duration quiet) {
            this.runs = runs;
            this.topic = topic;
            this.quiet = quiet;
        }

        /** The longest time between two records in the log that began or ended during a fault, in seconds. */
        double silence(Run.Finished finished, FaultResult fault) {
            long start = finished.result().trials().get(0).course().startedAt().toEpochMilli();
            double longest = 0;
            for (int i = 1; i < timestamps.size(); i++) {
                double from = (timestamps.get(i - 1) - start) / 1e3;
                double to = (timestamps.get(i) - start) / 1e3;
                if (to >= fault.span().asked() && from <= fault.span().over()) {
                    longest = Math.max(longest, to - from);
                }
            }
            return longest;
        }

        @Override
        public void phase(String trial, String phase, double fraction, double etaSeconds) {
            if ("auditing".equals(phase)) {
                try {
                    read(bootstrapServers());
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
        }

        private String bootstrapServers() throws java.io.IOException {
            try (Stream<Path> directories = Files.list(runs);
                    RunDirectory run = RunDirectory.open(directories
                            .filter(d -> Files.exists(d.resolve("timeline.jsonl")))
                            .findFirst()
                            .orElseThrow());
                    Stream<TimelineEvent> timeline = run.readTimeline()) {
                return timeline.filter(e -> e instanceof TimelineEvent.RunStarted)
                        .flatMap(e -> ((TimelineEvent.RunStarted) e).environment().cluster().brokers().stream())
                        .map(b -> b.host() + ":" + b.port())
                        .collect(Collectors.joining(","));
            }
        }

        private void read(String servers) {
            try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", servers), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                        .map((PartitionInfo p) -> new TopicPartition(topic, p.partition()))
                        .toList();
                consumer.assign(partitions);
                consumer.seekToBeginning(partitions);
                // Followers may still lack the last records, which are unreadable until then.
                long quietUntil = System.nanoTime() + quiet.toNanos();
                while (System.nanoTime() < quietUntil) {
                    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                        timestamps.add(record.timestamp());
                        Header name = record.headers().lastHeader(AckedRecords.HEADER);
                        if (name != null) {
                            names.add(new String(name.value(), US_ASCII));
                        }
                        quietUntil = System.nanoTime() + quiet.toNanos();
                    }
                }
            }
        }

        @Override
        public void snapshot(Snapshot snapshot) {}

        @Override
        public void close() {}
    }

    /** Followers lag, so the leader's death loses its latest records. */
    @Tag("nightly")
    @Test
    void lossWithAcksOneMatchesWitness() throws Exception {
        // Longer than a follower's request waits: until its answer, the last records cannot be read.
        Witness witness = new Witness(out, "loss", Duration.ofSeconds(25));
        Run.Finished finished = run("""
            name: loss
            topics:
              - name: loss
                partitions: 2
                replication: 3
                config: {min.insync.replicas: 1, unclean.leader.election.enable: true}
            producers:
              - topic: loss
                rate: 1000/s
                record: {size: 100}
                config:
                  acks: "1"
                  enable.idempotence: false
                  retries: 0
                  interceptor.classes: io.plimsoll.testing.AckedRecords
            warmup: 2s
            duration: 10s
            audit: true
            # Followers wait for more than is ever written, so that they lack the last seconds at any moment of the kill.
            lab: {brokers: 3, config: {replica.fetch.min.bytes: 1000000000, replica.fetch.wait.max.ms: 20000}}
            faults:
              - {at: 4s, kill: leader of loss-0, restartAfter: 1s}
            """, witness);
        TrialResult trial = finished.result().trials().get(0);
        long missed = AckedRecords.of("loss").stream()
                .filter(name -> !witness.names.contains(name))
                .count();
        assertThat(trial.audit().counts().acknowledged())
                .isEqualTo(AckedRecords.of("loss").size());
        assertThat(missed).isPositive();
        assertThat(trial.audit().counts().lost()).isEqualTo(missed);
        assertThat(of(trial.detail().faults(), "kill").effect().lost()).isEqualTo(missed);
        assertThat(trial.audit().anomalies())
                .filteredOn(a -> a.verdict().equals("lost"))
                .allSatisfy(a -> assertThat(a.fault().english()).startsWith("kill broker"));
        assertThat(finished.result().head().exitCode()).isEqualTo(io.plimsoll.Exit.AUDIT_FAILED.code());
    }

    /** A returned replica becomes leader: records already consumed are lost, and new records get their offsets. */
    @Tag("nightly")
    @Test
    void recordsTruncatedByUncleanLeaderAreLostThoughRead() throws Exception {
        Witness witness = new Witness(out, "cut", Duration.ofSeconds(5));
        Run.Finished finished = run("""
            name: cut
            lab: {brokers: 3}
            topics:
              - {name: cut, replication: 2, brokers: 2, config: {min.insync.replicas: 1, unclean.leader.election.enable: true}}
            producers:
              - topic: cut
                rate: 500/s
                record: {size: 100}
                config: {acks: "1", enable.idempotence: false, retries: 0, interceptor.classes: io.plimsoll.testing.AckedRecords}
            consumers: [{topic: cut}]
            warmup: 2s
            duration: 25s
            audit: true
            faults:
              - {at: 1s, stop: 2, restartAfter: 5s}
              - {at: 5s, kill: 1, restartAfter: 12s}
            """, witness);
        TrialResult trial = finished.result().trials().get(0);
        long missed = AckedRecords.of("cut").stream()
                .filter(name -> !witness.names.contains(name))
                .count();
        assertThat(missed).isGreaterThan(500);
        assertThat(trial.audit().counts().lost()).isEqualTo(missed);
        double killed = of(trial.detail().faults(), "kill").span().asked();
        Instant last = trial.course().startedAt().plusMillis(Math.round(killed * 1e3) + 2000);
        assertThat(trial.audit().anomalies())
                .filteredOn(a -> a.verdict().equals("lost"))
                .allSatisfy(a -> assertThat(a.origin().at()).isBefore(last));
    }

    @Test
    @Tag("nightly")
    void leaderCrashWithAcksAllLosesNothingAndIsMeasured() throws Exception {
        Run.Finished finished = run("""
            name: crash
            topics: [{name: crash, partitions: 1, replication: 3, config: {min.insync.replicas: 2}}]
            producers: [{topic: crash, rate: 500/s, record: {size: 100}, config: {acks: all}}]
            warmup: 2s
            duration: 14s
            audit: true
            faults: [{at: 3s, kill: leader of crash-0, restartAfter: 1s}]
            """, Progress.NONE);
        TrialResult trial = finished.result().trials().get(0);
        FaultResult fault = trial.detail().faults().get(0);
        assertThat(trial.audit().counts().lost()).isZero();
        assertThat(fault.effect().lost()).isZero();
        assertThat(fault.deed().what().english()).matches("kill broker [123] \\(leader of crash-0\\)");
        assertThat(fault.deed().what().in(Language.ZH)).matches("强杀 broker [123]（crash-0 的 leader）");
        assertThat(fault.effect().longestGapSeconds()).isGreaterThan(1);
        assertThat(fault.silenced().partitions()).as(fault.toString()).isEqualTo(1);
        assertThat(fault.silenced().longestSeconds())
                .as("its only partition is all there is")
                .isCloseTo(fault.effect().longestGapSeconds(), within(0.05));
        assertThat(FigureCatalogue.value(trial, "fault.silence"))
                .isEqualTo(fault.silenced().longestSeconds() * 1e6);
        assertThat(fault.response().during().max()).isEqualTo(fault.effect().worstResponseMicros());
        assertThat(finished.result().verdict().sentence().english())
                .containsPattern(Said.en("result.faultOf.kill"))
                .containsPattern(Said.en("result.silenced", 1, 1))
                .containsPattern(Said.en("result.nothingLost"));
        assertThat(finished.result().verdict().warnings().toString())
                .doesNotContainPattern(Said.en("observe.cannotBeObserved"));
        assertThat(fault.effect().throughputBackSeconds()).isGreaterThanOrEqualTo(1.0);
        assertThat(fault.effect().isrFullSeconds()).isPositive();
        assertThat(fault.effect().worstResponseMicros() / 1e6)
                .isGreaterThanOrEqualTo(fault.effect().longestGapSeconds() - 0.2);
    }
}
