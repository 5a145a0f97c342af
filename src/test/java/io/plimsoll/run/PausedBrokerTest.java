package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.testing.ProxiedLab;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.SendLog;
import io.plimsoll.testing.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A paused real broker ends no sender, and later records do not overtake records in flight to it. */
@Tag("nightly")
class PausedBrokerTest {
    @TempDir
    Path out;

    /** Exactly the scheduled number of records have one outcome each. */
    private static void assertEachHasAnOutcome(TrialResult trial, long due) {
        assertThat(trial.produce().volume().records()
                        + trial.produce().errors().total()
                        + trial.produce().schedule().unacknowledged()
                        + trial.produce().schedule().unsent())
                .isEqualTo(due);
    }

    @Test
    void loadContinuesAfterCommitTimeout() throws IOException {
        try (ProxiedLab<TcpProxy> lab = new ProxiedLab<>(new TcpProxy(), Map.of())) {
            TrialResult trial = Runs.run("""
                            name: paused
                            topics: [{name: paused, partitions: 1}]
                            producers:
                              - topic: paused
                                rate: 200/s
                                record: {size: 100}
                                transactions: {every: 1s}
                                config: {max.block.ms: 2000}
                            warmup: 0s
                            duration: 14s
                            audit: true
                            """, lab.bootstrapServers(), out, snapshot -> {
                        if (snapshot.sequence() == 2) {
                            lab.proxy().stallUntil(System.nanoTime() + 5_000_000_000L);
                        }
                    })
                    .trials()
                    .get(0);
            SendLog.Stall stall = lab.proxy().stalls().get(0);
            double stalled = (stall.toNanos() - stall.fromNanos()) / 1e9;
            assertThat(trial.produce().events()).containsKey("transactionTimedOut");
            assertThat(trial.produce().times().responseTime().max() / 1e6).isGreaterThan(stalled - 2);
            // Seconds later it works normally.
            assertThat(trial.detail().seconds().stream()
                            .filter(s -> s.at() > 3 + stalled + 2)
                            .mapToDouble(s -> s.rates().produced())
                            .sum())
                    .isPositive();
            assertEachHasAnOutcome(trial, 2800);
            assertThat(trial.produce().schedule().unsent()).isZero();
            assertThat(trial.audit().counts().lost()).isZero();
        }
    }

    private static int leader(Admin admin) {
        try {
            return admin.describeTopics(java.util.List.of("moved"))
                    .allTopicNames()
                    .get()
                    .get("moved")
                    .partitions()
                    .get(0)
                    .leader()
                    .id();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void rawEngineKeepsOrderWithRequestAtFormerLeader() {
        Map<String, String> quick = Map.of("broker.session.timeout.ms", "2000", "broker.heartbeat.interval.ms", "500");
        try (Lab lab = Lab.start(LabOptions.ephemeral(3).withHeapMegabytes(256).withBrokerConfig(quick));
                // A request to the paused broker must be repeated at another one before the load ends.
                Admin admin = Admin.create(
                        Map.of("bootstrap.servers", lab.bootstrapServers(), "request.timeout.ms", "1000"))) {
            AtomicInteger paused = new AtomicInteger();
            AtomicInteger led = new AtomicInteger();
            TrialResult trial = Runs.run("""
                            name: moved
                            topics: [{name: moved, partitions: 1, replication: 3, config: {min.insync.replicas: 1}}]
                            producers:
                              - topic: moved
                                engine: raw
                                rate: 500/s
                                record: {size: 100}
                                config:
                                  acks: all
                                  enable.idempotence: false
                                  max.in.flight.requests.per.connection: 1
                                  linger.ms: 0
                                  metadata.max.age.ms: 300
                                  request.timeout.ms: 20000
                            warmup: 0s
                            duration: 16s
                            audit: true
                            """, lab.bootstrapServers(), out, snapshot -> {
                        if (snapshot.sequence() == 2) {
                            paused.set(leader(admin));
                            lab.pause(paused.get());
                        } else if (snapshot.sequence() == 9) {
                            led.set(leader(admin));
                            lab.resume(paused.get());
                        }
                    })
                    .trials()
                    .get(0);
            assertThat(led.get()).as("another broker leads").isNotEqualTo(paused.get());
            assertEachHasAnOutcome(trial, 8000);
            assertThat(trial.audit().counts().reordered()).isZero();
            assertThat(trial.audit().counts().lost()).isZero();
            assertThat(trial.detail().seconds().stream()
                            .filter(s -> s.at() > 12)
                            .mapToDouble(Second::at)
                            .count())
                    .isPositive();
        }
    }
}
