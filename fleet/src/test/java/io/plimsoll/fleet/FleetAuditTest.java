package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.cluster.Topics;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.FrameProxy;
import io.plimsoll.testing.PlainLog;
import io.plimsoll.testing.ProxiedLab;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage between the agents of a fleet and their broker, compared with a plain consumer. */
@Tag("nightly")
@ResourceLock(SharedFleet.LOCK)
class FleetAuditTest {
    private static ProxiedLab<FrameProxy> lab;

    @TempDir
    Path out;

    @BeforeAll
    static void start() throws Exception {
        lab = new ProxiedLab<>(new FrameProxy(), Map.of());
    }

    @AfterAll
    static void stop() throws Exception {
        lab.close();
    }

    private RunResult run(String topic, String engine, String config, FrameProxy.Tamper tamper) {
        lab.proxy().tamper(tamper);
        FleetRules apart = new FleetRules(Map.of(), Map.of("zone", "y"), null);
        try (Fleet fleet = SharedFleet.find(apart, "audit")) {
            return SharedFleet.result(SharedFleet.run(
                    fleet, """
                        name: audit
                        topics: [{name: %s, existing: true}]
                        producers:
                          - topic: %s
                            clients: 2
                            engine: %s
                            rate: 2000/s
                            record: {size: 100}
                            config: {batch.size: 4000, linger.ms: 20, %s}
                        consumers: [{topic: %s}]
                        duration: 5s
                        warmup: 0s
                        audit: true
                        """.formatted(topic, topic, engine, config, topic), lab.bootstrapServers(), out));
        } finally {
            lab.proxy().tamper(FrameProxy.HONEST);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void findsDuplicatesAcrossAgents(String engine) throws Exception {
        String topic = "audit-" + UUID.randomUUID();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", lab.bootstrapServers()))) {
            new Topics(admin).create(List.of(new NewTopic(topic, 2, (short) 1)), Duration.ofSeconds(60));
        }
        TrialResult trial = run(
                        topic,
                        engine,
                        "acks: 1, enable.idempotence: false, retries: 100",
                        FrameProxy.withoutSomeAnswers())
                .trials()
                .get(0);
        // The producing agent has no consumer here and measured its own latency with a single clock.
        assertThat(trial.consume().times().ownEndToEnd()).isNotNull();
        assertThat(trial.consume().times().ownEndToEnd().count()).isPositive();
        AuditResult audit = trial.audit();
        PlainLog log = new PlainLog(lab.bootstrapServers(), topic, "read_uncommitted");
        assertThat(audit.method()).isEqualTo("identities");
        assertThat(audit.counts().duplicated()).isPositive().isEqualTo(log.duplicates());
        assertThat(audit.counts().read()).isEqualTo(log.records().size());
        assertThat(audit.counts().lost()).isZero();
        assertThat(audit.complete()).isTrue();
    }
}
