package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent.Measured;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The death of a broker during a run is a finding, not the end of the run. */
class BrokerDeathTest {
    /** A crashed broker can return only after the session of its dead process expires: 9 s by default. */
    private static final Map<String, String> QUICK_RETURN = Map.of(
            "broker.session.timeout.ms", "2000",
            "broker.heartbeat.interval.ms", "500",
            "message.max.bytes", "20000");

    @TempDir
    Path out;

    private static Lab lab(int brokers) {
        return Lab.start(LabOptions.ephemeral(brokers).withHeapMegabytes(256).withBrokerConfig(QUICK_RETURN));
    }

    /** Runs, and triggers an event some time into the measured window. */
    private Run.Finished run(String yaml, Lab lab, Runnable event) throws Exception {
        CountDownLatch measuring = new CountDownLatch(2);
        Run run = new Run(
                Runs.request(yaml, lab.bootstrapServers(), out), new Watching(snapshot -> measuring.countDown()));
        CompletableFuture<Run.Finished> finished = CompletableFuture.supplyAsync(run::execute);
        measuring.await();
        event.run();
        Run.Finished end = finished.get();
        assertThat(end.failure()).isNull();
        ResultSchema.assertValid(end.result());
        ResultSchema.assertValid(end.directory().resolve("result.json"));
        return end;
    }

    private List<Snapshot> snapshots(Run.Finished finished) {
        try (RunDirectory directory = RunDirectory.open(finished.directory());
                Stream<io.plimsoll.result.TimelineEvent> timeline = directory.readTimeline()) {
            return timeline.filter(e -> e instanceof Measured)
                    .map(e -> ((Measured) e).snapshot())
                    .toList();
        }
    }

    @Tag("nightly")
    @Test
    void runWithReplicasContinuesAndCountsErrors() throws Exception {
        try (Lab lab = lab(3)) {
            Run.Finished finished = run("""
                name: failover
                topics: [{name: failover, partitions: 3, replication: 3, config: {min.insync.replicas: 2}}]
                producers:
                  - topic: failover
                    rate: 300/s
                    record: {size: 100}
                    config: {acks: all, linger.ms: 0, request.timeout.ms: 400, delivery.timeout.ms: 500, retry.backoff.ms: 50}
                consumers: [{topic: failover}]
                warmup: 0s
                duration: 14s
                audit: true
                """, lab, () -> {
                lab.kill(2);
                lab.restart(2);
            });
            TrialResult trial = finished.result().trials().get(0);
            assertThat(trial.course().measuredSeconds()).isEqualTo(14);
            assertThat(trial.produce().errors().total()).isPositive();
            assertThat(trial.produce().errors().byKind().keySet())
                    .allSatisfy(kind -> assertThat(kind).isNotEqualTo("unknown"));
            assertThat(trial.audit().counts().lost()).isZero();
            List<Snapshot> seconds = snapshots(finished);
            long failing = seconds.stream()
                    .filter(s -> !s.measured().get(Produced.ERRORS).isEmpty())
                    .count();
            assertThat(failing).as("seconds with errors, of %d", seconds.size()).isBetween(1L, seconds.size() - 4L);
            Snapshot last = seconds.get(seconds.size() - 3);
            assertThat(last.measured().get(Produced.ACKNOWLEDGED)).isPositive();
            assertThat(last.measured().get(Consumed.RECORDS)).isPositive();
        }
    }

    @Test
    @Tag("nightly")
    void responseTimesShowOutageWithoutReplicas() throws Exception {
        try (Lab lab = lab(1)) {
            assertThatThrownBy(() -> Runs.run("""
                name: large
                topics: [{name: large}]
                producers: [{topic: large, records: 9, record: {size: 30000}}]
                """, lab.bootstrapServers(), out))
                    .isInstanceOfSatisfying(
                            PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                    .hasMessageContaining(
                            "message.max.bytes=20000; set max.message.bytes in the config of topic large");
            long[] down = new long[2];
            Run.Finished finished = run("""
                name: outage
                topics: [{name: outage}]
                producers: [{topic: outage, rate: 200/s, record: {size: 100}}]
                warmup: 0s
                duration: 12s
                audit: true
                """, lab, () -> {
                down[0] = System.nanoTime();
                lab.kill(1);
                pause();
                down[1] = System.nanoTime();
                lab.restart(1);
            });
            TrialResult trial = finished.result().trials().get(0);
            double outageMicros = (down[1] - down[0]) / 1e3;
            assertThat(trial.produce().times().responseTime().max().doubleValue())
                    .isGreaterThan(outageMicros);
            assertThat(trial.produce().errors().total()).isZero();
            assertThat(trial.produce().volume().records()
                            + trial.produce().schedule().unacknowledged()
                            + trial.produce().schedule().unsent())
                    .isEqualTo(2400);
            assertThat(trial.audit().counts().lost()).isZero();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(3000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
