package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.TopicMark;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.GuardResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.run.guards.LoadLimits.Consent;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Harmful loads on a real cluster are reduced at once, and stopped if that does not help. */
@Tag("nightly")
class GuardedLoadTest {
    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final int RATE = 400;

    @TempDir
    Path out;

    private static String load(String engine, String duration) {
        return "name: s\ntopics: [{name: mine, partitions: 2}]\nproducers: [{topic: mine, rate: " + RATE
                + "/s, engine: " + engine + "}]\nwarmup: 2s\nduration: " + duration + "\n";
    }

    private RunResult run(String scenario, String servers, List<Check> guards, Consumer<Snapshot> listener) {
        LoadLimits usual = LoadLimits.DEFAULT;
        RunRequest request = Runs.request(scenario, servers, out)
                .with(draft -> draft.limits = new LoadLimits(
                        0.01,
                        usual.maxRate(),
                        usual.maxBytes(),
                        Consent.GIVEN,
                        Duration.ofSeconds(1),
                        Optional.empty(),
                        guards));
        return Runs.run(request, listener);
    }

    private static GuardResult guard(RunResult result, String name) {
        return result.trials().get(0).observed().guards().stream()
                .filter(g -> g.guard().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Offered records per whole second of the trial. */
    private static List<Double> offered(RunResult result, int from, int to) {
        return result.trials().get(0).detail().seconds().stream()
                .filter(s -> s.at() > from + 0.5 && s.at() <= to + 0.5)
                .map(s -> s.rates().offered())
                .toList();
    }

    @Test
    @Timeout(240)
    void stopsLoadIfForeignReplicasFallOutOfSync() throws Exception {
        try (Lab lab = SharedLab.ownForeign(3);
                Admin admin = ClusterConnection.of(lab.bootstrapServers(), null, List.of())
                        .admin()) {
            Topics topics = new Topics(admin);
            topics.create(List.of(new NewTopic("others", 6, (short) 3)), WAIT);
            lab.kill(3);
            awaitInSync(topics, 2);
            RunResult before = run(load("client", "4s"), lab.bootstrapServers(), List.of(), s -> {});
            assertThat(before.head().exitCode())
                    .as(before.verdict().sentence().english())
                    .isZero();
            assertThat(guard(before, "replicas").found()).isNull();
            lab.restart(3);
            awaitInSync(topics, 3);
            AtomicReference<Double> killed = new AtomicReference<>();
            RunResult hurt = run(load("raw", "120s"), lab.bootstrapServers(), List.of(), s -> {
                if (s.toNanos() > 10e9 && killed.compareAndSet(null, s.toNanos() / 1e9)) {
                    lab.kill(3);
                }
            });
            assertThat(hurt.head().exitCode()).isEqualTo(3);
            assertThat(hurt.verdict().sentence().english())
                    .containsPattern(Said.en("guards.stopped", "replicas", null, "1/2"))
                    .containsPattern(Said.en("guards.ailing", 6));
            GuardResult replicas = guard(hurt, "replicas");
            assertThat(replicas.halvedSeconds()).isGreaterThan(killed.get());
            assertThat(replicas.stoppedSeconds() - replicas.halvedSeconds()).isBetween(14.0, 20.0);
            int halved = (int) Math.ceil(replicas.halvedSeconds()) + 2;
            assertThat(offered(hurt, halved, halved + 8)).isNotEmpty().allSatisfy(rate -> assertThat(rate)
                    .isBetween(0.48 * RATE, 0.52 * RATE));
            assertThat(topics.names(false)).containsExactly("others");
        }
    }

    private static void awaitInSync(Topics topics, int copies) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        while (topics.describe(Set.of("others")).get("others").partitions().stream()
                .anyMatch(p -> p.isr().size() != copies)) {
            never.await(200, TimeUnit.MILLISECONDS);
        }
    }

    /** The broker stalls repeatedly above three quarters of the load. */
    @Test
    @Timeout(120)
    void halvesLoadWhileProbeIsSlow() throws Exception {
        try (Lab lab = SharedLab.ownForeign(1)) {
            List<Check> guards = List.of(CheckParser.parse("probe.p99 < 600ms"));
            RunResult held = run(load("client", "20s"), lab.bootstrapServers(), guards, s -> {
                if (s.measured().get(Produced.DUE) > RATE * 3 / 4) {
                    standStill(lab);
                }
            });
            assertThat(held.head().exitCode()).isEqualTo(3);
            assertThat(held.verdict().sentence().english())
                    .containsPattern(Said.en("guards.heldBack", "probe", null, "1/2"))
                    .containsPattern(Said.en("guards.probe", "probe.p99", null, "probe.p99 < 600ms"));
            GuardResult probe = guard(held, "probe");
            assertThat(probe.stoppedSeconds()).isNull();
            assertThat(probe.latency().max()).isGreaterThan(600_000L);
            assertThat(probe.latency().count()).isBetween(1000L, 1500L);
            TrialResult trial = held.trials().get(0);
            assertThat(trial.course().complete()).isTrue();
            assertThat(trial.course().warmupSeconds()).isEqualTo(7);
            // A ramp of five seconds: the load of the second second is 30 % of the rate.
            assertThat(offered(held, 1, 2)).allSatisfy(rate -> assertThat(rate).isBetween(0.25 * RATE, 0.35 * RATE));
            assertThat(offered(held, 20, 26))
                    .allSatisfy(rate -> assertThat(rate).isBetween(0.48 * RATE, 0.52 * RATE));
        }
    }

    private static void standStill(Lab lab) {
        lab.pause(1);
        try {
            new CountDownLatch(1).await(1200, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lab.resume(1);
    }

    @Test
    void refusesLoadIfProbeGuardNeverHolds() {
        String servers = SharedLab.foreign().bootstrapServers();
        List<Check> guards = List.of(CheckParser.parse("probe.p50 < 1us"));
        assertThatThrownBy(() -> run(load("client", "2s"), servers, guards, s -> {}))
                .isInstanceOf(PlimsollException.class)
                .satisfies(e -> assertThat(e.getMessage()).containsPattern(Said.en("guards.neverHeld")))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.CHECK_FAILED));
    }

    @Test
    void marksTopicsAndKeepsUserSettings() throws Exception {
        String servers = SharedLab.foreign().bootstrapServers();
        try (Admin admin = ClusterConnection.of(servers, null, List.of()).admin()) {
            Topics topics = new Topics(admin);
            AtomicReference<Map<String, Map<String, String>>> seen = new AtomicReference<>();
            String scenario = "name: s\ntopics:\n- {name: plain}\n- {name: kept, config: {retention.ms: 777000}}\n"
                    + "- {name: compact, config: {cleanup.policy: compact}}\n"
                    + "- {name: own, config: {delete.retention.ms: 5}}\n"
                    + "producers: [{topic: plain, rate: 100/s}]\nduration: 3s\n";
            run(
                    scenario,
                    servers,
                    List.of(),
                    s -> seen.set(topics.configs(List.of("plain", "kept", "compact", "own"))));
            Map<String, Map<String, String>> configs = seen.get();
            assertThat(TopicMark.of(configs.get("plain"))).isPresent();
            long retention = Long.parseLong(configs.get("plain").get("retention.ms"));
            assertThat(Duration.ofMillis(retention)).isBetween(Duration.ofHours(24), Duration.ofHours(26));
            assertThat(TopicMark.of(configs.get("kept"))).isPresent();
            assertThat(configs.get("kept")).containsEntry("retention.ms", "777000");
            assertThat(configs.get("compact")).isEqualTo(Map.of("cleanup.policy", "compact"));
            assertThat(configs.get("own")).isEqualTo(Map.of("delete.retention.ms", "5"));
            // Longer than the cluster would keep them: the setting is unchanged.
            AtomicReference<Run> days = new AtomicReference<>();
            days.set(new Run(
                    Runs.request(
                                    "name: s\ntopics: [{name: plain}]\nproducers: [{topic: plain, rate: 1/s}]\nduration: 30d\n",
                                    servers,
                                    out)
                            .with(draft -> draft.limits = LoadLimits.DEFAULT.with(Consent.GIVEN)),
                    Runs.hearing(s -> {
                        seen.set(topics.configs(List.of("plain")));
                        days.get().interrupt();
                    })));
            days.get().execute();
            assertThat(seen.get().get("plain"))
                    .doesNotContainKey("retention.ms")
                    .containsKey(TopicMark.PROPERTY);
        }
    }
}
