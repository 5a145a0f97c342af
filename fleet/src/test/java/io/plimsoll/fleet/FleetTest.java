package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plimsoll.run.fleet.FleetSupport.Wanted;
import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cli.BuildOfTests;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A fleet of two agents that communicate over the loopback interface. */
@ResourceLock(SharedFleet.LOCK)
@Order(1)
class FleetTest {
    private static final FleetRules APART = new FleetRules(Map.of("zone", "x"), Map.of("zone", "y"), false);

    private final String topic = "fleet-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private RunResult run(Fleet fleet, String yaml) {
        return SharedFleet.result(SharedFleet.run(fleet, yaml.replace("TOPIC", topic), directory));
    }

    @Test
    void runsOneScheduleWithResultOfOneProcess() {
        try (Fleet fleet = SharedFleet.find(SharedFleet.anywhere(), "exact")) {
            RunResult result = run(fleet, """
                name: exact
                topics: [{name: TOPIC, partitions: 3}]
                producers: [{topic: TOPIC, clients: 3, rate: 1003/s, record: {size: 100}, labels: {team: a}}]
                consumers: [{topic: TOPIC, groups: 2, labels: {team: b}}]
                connections: [{count: 9, rate: 6/s}]
                duration: 2s
                warmup: 1s
                audit: true
                """);
            Runs.assertSound(result);
            TrialResult trial = result.trials().get(0);
            assertThat(trial.produce().volume().records()).isEqualTo(2006);
            assertThat(trial.produce().times().responseTime().count()).isEqualTo(2006);
            TrialResult part = trial.of("team=a");
            assertThat(part.produce().volume()).isEqualTo(trial.produce().volume());
            assertThat(part.produce().times()).isEqualTo(trial.produce().times());
            assertThat(trial.of("team=b").consume().groups())
                    .isEqualTo(trial.consume().groups());
            assertThat(trial.of("group=consumers-0-group-1").consume().groups())
                    .isEqualTo(trial.consume().groups().subList(1, 2));
            // The warm-up's records are read as well, by each group.
            assertThat(trial.consume().groups()).hasSize(2);
            assertThat(trial.detail().partitions().stream()
                            .mapToLong(p -> p.consumed() - 2 * p.produced())
                            .sum())
                    .isZero();
            assertThat(trial.detail().partitions().stream()
                            .mapToLong(p -> p.produced())
                            .sum())
                    .isEqualTo(3009);
            clean(trial.audit(), 3009);
            // The agents take turns, so that the last of the nine is due after 8/6 s.
            TrialResult.Latency open = trial.detail().distributions().get("connect.firstOpen");
            assertThat(open.count()).isEqualTo(9);
            assertThat(open.max()).isGreaterThanOrEqualTo(1_200_000);
            assertThat(trial.observed().workers())
                    .extracting(worker -> worker.part().connections())
                    .containsExactly(List.of("connections[0] 0 to 4"), List.of("connections[0] 5 to 8"));
            // Clients 0 and 1 on one agent, 2 on the other one; each has a third of the records.
            assertThat(trial.produce().sources().producers()).hasSize(3).allSatisfy(share -> assertThat(share.records())
                    .isBetween(668L, 669L));
            workers(trial);
        }
    }

    @Test
    void groupOnTwoAgentsIsOneGroup() {
        try (Fleet fleet = SharedFleet.find(SharedFleet.anywhere(), "spread")) {
            RunResult result = run(fleet, """
                name: spread
                topics: [{name: TOPIC, partitions: 6}]
                producers: [{topic: TOPIC, clients: 2, rate: 2000/s, record: {size: 100, key: sequential}}]
                consumers: [{topic: TOPIC, members: 4}]
                duration: 1s
                warmup: 0s
                audit: true
                """);
            TrialResult trial = result.trials().get(0);
            assertThat(trial.observed().workers()).allSatisfy(worker -> {
                assertThat(worker.part().consumers()).hasSize(1);
                // Two of four members, with three of six partitions.
                assertThat(worker.flow().consumed()).isBetween(500L, 1500L);
            });
            assertThat(trial.observed().workers().get(1).part().consumers())
                    .containsExactly("consumers[0] group 0 members 2 to 3");
            assertThat(trial.consume().groups()).singleElement().satisfies(group -> {
                assertThat(group.members()).isEqualTo(4);
                assertThat(group.records()).isEqualTo(2000);
                assertThat(group.lagAtEnd()).isZero();
                assertThat(group.rebalances()).isZero();
            });
            assertThat(trial.consume().reading().missing()).isZero();
            assertThat(trial.consume().times().endToEnd().count()).isEqualTo(2000);
            assertThat(trial.detail().partitions())
                    .allSatisfy(p -> assertThat(p.consumed()).isEqualTo(p.produced()));
            assertThat(trial.audit().groups()).singleElement().satisfies(group -> {
                assertThat(group.processedTwice()).isZero();
                assertThat(group.skipped()).isZero();
            });
            assertThat(trial.audit().counts().lost()).isZero();
        }
    }

    private static void clean(AuditResult audit, long records) {
        assertThat(audit.method()).isEqualTo("identities");
        assertThat(audit.counts().acknowledged()).isEqualTo(records);
        assertThat(audit.counts().read()).isEqualTo(records);
        assertThat(audit.counts().lost()).isZero();
        assertThat(audit.counts().duplicated()).isZero();
        assertThat(audit.counts().reordered()).isZero();
        assertThat(audit.identified().phantom()).isZero();
        assertThat(audit.complete()).isTrue();
        assertThat(audit.groups()).hasSize(2).allSatisfy(group -> {
            assertThat(group.processedTwice()).isZero();
            assertThat(group.skipped()).isZero();
        });
    }

    private static void workers(TrialResult trial) {
        assertThat(trial.observed().workers()).extracting(WorkerResult::name).containsExactly("a", "b");
        assertThat(trial.observed().workers().stream()
                        .mapToLong(w -> w.flow().records())
                        .sum())
                .isEqualTo(2006);
        assertThat(trial.observed().workers()).allSatisfy(worker -> {
            assertThat(worker.part().version()).isEqualTo(BuildOfTests.name());
            assertThat(worker.lost()).isNull();
            assertThat(worker.clock().clockErrorMicros()).isPositive();
            assertThat(worker.part().producers()).isNotEmpty();
        });
    }

    @Test
    void dividesRecordsExactlyAndObeysLabels() {
        try (Fleet fleet = SharedFleet.find(new FleetRules(Map.of("zone", "y"), Map.of(), false), "bound")) {
            RunResult result = run(fleet, """
                name: bound
                topics: [{name: TOPIC, partitions: 2}]
                producers: [{topic: TOPIC, clients: 2, engine: raw, records: 10001, record: {size: 10}}]
                audit: true
                """);
            TrialResult trial = result.trials().get(0);
            assertThat(trial.produce().volume().records()).isEqualTo(10001);
            assertThat(trial.audit().method()).isEqualTo("identities");
            assertThat(trial.audit().counts().read()).isEqualTo(10001);
            assertThat(trial.observed().workers())
                    .extracting(WorkerResult::name)
                    .containsExactly("b");
        }
    }

    /** Acknowledged records of one agent are missing in the log after the load. */
    @Test
    void reportsRemovedRecordsAsLost() throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        TopicPartition partition = new TopicPartition(topic, 0);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers));
                Fleet fleet = SharedFleet.find(APART, "lost")) {
            new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(60));
            String yaml = """
                name: lost
                topics: [{name: TOPIC, existing: true}]
                producers: [{topic: TOPIC, clients: 2, rate: 2000/s, record: {size: 100}, config: {acks: all}}]
                consumers: [{topic: TOPIC}]
                duration: 2s
                warmup: 0s
                audit: true
                """.replace("TOPIC", topic);
            Progress removing = Runs.beforeAudit(
                    () -> admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1234)))
                            .all()
                            .get());
            RunResult result = SharedFleet.result(SharedFleet.run(fleet, yaml, servers, directory, removing));
            long written = admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get()
                    .offset();
            assertThat(result.head().exitCode()).isEqualTo(Exit.AUDIT_FAILED.code());
            AuditResult audit = result.trials().get(0).audit();
            // Not the scheduled number: on a busy host a load ends with unsent records.
            assertThat(audit.counts().acknowledged()).isEqualTo(written);
            assertThat(audit.counts().lost()).isEqualTo(1234);
            assertThat(audit.counts().read()).isEqualTo(written - 1234);
            assertThat(audit.anomalies())
                    .allSatisfy(a -> assertThat(a.verdict()).isEqualTo("lost"));
        }
    }

    @Test
    void refusesSecondRunAndNamesTheFirst() {
        try (Fleet fleet = SharedFleet.find(SharedFleet.anywhere(), "first")) {
            fleet.claim();
            try (Fleet second = SharedFleet.find(SharedFleet.anywhere(), "second")) {
                assertThatThrownBy(second::claim)
                        .isInstanceOfSatisfying(PlimsollException.class, e -> assertThat(e.exit())
                                .isEqualTo(Exit.CLUSTER))
                        .hasMessageContaining("busy with run first")
                        .hasMessageContaining("a (127.0.0.1:");
                assertThat(second.status()).allMatch(line -> line.english().endsWith("busy with run first"));
            }
        }
    }

    @Test
    void refusesOtherVersionAndNamesBoth() {
        try (Fleet fleet = SharedFleet.find(SharedFleet.first(), 2, SharedFleet.anywhere(), "run", "2.0 (def)")) {
            assertThatThrownBy(fleet::claim)
                    .hasMessageContaining(Sentence.of("fleet.otherVersion", BuildOfTests.name(), "2.0 (def)")
                            .english());
        }
    }

    @Test
    void settingRefusedByAgentEndsTheRunWithReason() {
        try (Fleet fleet = SharedFleet.find(SharedFleet.anywhere(), "refused")) {
            assertThatThrownBy(() -> run(fleet, """
                name: refused
                topics: [{name: TOPIC}]
                producers:
                  - topic: TOPIC
                    rate: 10/s
                    config: {partitioner.class: org.apache.kafka.clients.producer.RoundRobinPartitioner}
                duration: 1s
                """))
                    .hasMessageFindingMatch(Said.en("fleet.settingNotTaken", null, "partitioner.class")
                            .pattern());
        }
    }

    @Test
    void namesMissingAgents() {
        assertThatThrownBy(() -> Fleet.find(new Wanted(
                        List.of(SharedFleet.first(), new NodeAddress("127.0.0.1", 1)),
                        0,
                        Duration.ofSeconds(2),
                        SharedFleet.TOKEN,
                        SharedFleet.anywhere(),
                        "run",
                        BuildOfTests.name())))
                .hasMessageContaining("missing: ")
                .hasMessageContaining("127.0.0.1:1");
    }

    /** Other agents report a crashed agent for some time. */
    @Test
    void doesNotWaitForSilentAgent() throws Exception {
        try (FleetNode silent = FleetNode.start(new NodeAddress("127.0.0.1", 0), SharedFleet.token(), envelope -> {})) {
            silent.join(List.of(SharedFleet.first()));
            while (silent.members().isEmpty()) {
                silent.renew(System.nanoTime());
                TimeUnit.MILLISECONDS.sleep(100);
            }
            try (Fleet fleet =
                    SharedFleet.find(SharedFleet.first(), 0, SharedFleet.anywhere(), "silent", BuildOfTests.name())) {
                assertThat(fleet.agents()).extracting(RemoteAgent::name).contains("a", "b");
                assertThat(fleet.warnings()).anySatisfy(warning -> {
                    assertThat(warning.key()).isEqualTo("fleet.silent");
                    assertThat(warning.arguments().toString()).contains(FleetNode.place(silent.self));
                });
            }
        }
    }

    @Test
    void findsAgentAtIpv6Address() {
        assumeTrue(hasIpv6(), "this host has no IPv6");
        try (Agent agent = SharedFleet.start(new NodeAddress("::1", 0), "six", List.of(), "z");
                Fleet fleet =
                        SharedFleet.find(agent.address(), 0, SharedFleet.anywhere(), "six", BuildOfTests.name())) {
            assertThat(fleet.agents()).singleElement().satisfies(found -> assertThat(found.place())
                    .startsWith("[::1]:"));
        }
    }

    private static boolean hasIpv6() {
        byte[] loopback = new byte[16];
        loopback[15] = 1;
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByAddress(loopback))) {
            return any.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
