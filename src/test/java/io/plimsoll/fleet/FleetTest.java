package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Progress;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fleet of two agents, each with a node of its own, that speak to each other over loopback. */
class FleetTest {
    private static final String BUILD = "1.0 (abc)";

    private final List<Agent> agents = new ArrayList<>();
    private final List<String> said = java.util.Collections.synchronizedList(new ArrayList<>());
    private final String topic = "fleet-" + UUID.randomUUID();
    private NodeAddress first;

    @TempDir
    Path directory;

    @BeforeEach
    void startAgents() {
        first = start("a", List.of(), Map.of("zone", "x"), BUILD);
        start("b", List.of(first), Map.of("zone", "y"), BUILD);
    }

    private NodeAddress start(String name, List<NodeAddress> join, Map<String, String> labels, String build) {
        Agent.Options options = new Agent.Options(
                new NodeAddress("127.0.0.1", 0),
                join,
                name,
                labels,
                directory,
                Certificates.in(Optional.empty()),
                build,
                "test");
        Agent agent = Agent.start(options, said::add);
        agents.add(agent);
        return agent.address();
    }

    @AfterEach
    void endAgents() {
        agents.parallelStream().forEach(Agent::close);
    }

    private Fleet find(int workers, Map<String, String> producersOn, String run, String build) {
        return Fleet.find(new Fleet.Options(
                List.of(first),
                workers,
                Duration.ofSeconds(60),
                Certificates.in(Optional.empty()),
                new FleetRules(producersOn, Map.of(), false),
                run,
                build));
    }

    private RunResult run(Fleet fleet, String yaml) {
        RunRequest request = Runs.request(
                        yaml.replace("TOPIC", topic), SharedLab.oneBroker().bootstrapServers(), directory)
                .with(fleet);
        Run.Finished finished = new Run(request, Progress.NONE).execute();
        if (finished.failure() != null) {
            throw finished.failure();
        }
        ResultSchema.assertValid(finished.result());
        return finished.result();
    }

    @Test
    void theLoadIsOneScheduleAndTheResultThatOfOneProcess() {
        try (Fleet fleet = find(2, Map.of(), "exact", BUILD)) {
            fleet.claim();
            RunResult result = run(fleet, """
                    name: exact
                    topics: [{name: TOPIC, partitions: 3}]
                    producers: [{topic: TOPIC, clients: 3, rate: 1003/s, record: {size: 100}}]
                    consumers: [{topic: TOPIC, groups: 2}]
                    duration: 3s
                    warmup: 1s
                    audit: true
                    """);
            Runs.assertSound(result);
            TrialResult trial = result.trials().get(0);
            assertThat(trial.produce().records()).isEqualTo(3009);
            assertThat(trial.produce().responseTime().count()).isEqualTo(3009);
            // The warm-up's records are read as well, by each group.
            assertThat(trial.consume().groups()).hasSize(2);
            assertThat(trial.partitions().stream()
                            .mapToLong(p -> p.consumed() - 2 * p.produced())
                            .sum())
                    .isZero();
            assertThat(trial.partitions().stream().mapToLong(p -> p.produced()).sum())
                    .isEqualTo(4012);
            assertThat(trial.audit().lost()).isZero();
            // Clients 0 and 1 on one agent, 2 on the other; each has its third of the records.
            assertThat(trial.produce().producers()).hasSize(3).allSatisfy(share -> assertThat(share.records())
                    .isEqualTo(1003));
        }
    }

    @Test
    void recordsAreDividedExactlyAndLabelsAreObeyed() {
        try (Fleet fleet = find(2, Map.of("zone", "y"), "bound", BUILD)) {
            fleet.claim();
            RunResult result = run(fleet, """
                    name: bound
                    topics: [{name: TOPIC, partitions: 2}]
                    producers: [{topic: TOPIC, clients: 2, engine: raw, records: 10001, record: {size: 100}}]
                    """);
            assertThat(result.trials().get(0).produce().records()).isEqualTo(10001);
            assertThat(fleet.placement(Runs.request(
                                    "name: p\ntopics: [{name: t}]\nproducers: [{topic: t, clients: 2}]",
                                    "127.0.0.1:1",
                                    directory)
                            .plan()
                            .trials()
                            .get(0)
                            .scenario()))
                    .containsExactly("a: nothing", "b: producers[0] clients 0 to 1");
        }
    }

    @Test
    void thereIsOneRunAtATimeAndTheOtherIsToldWhich() {
        try (Fleet fleet = find(2, Map.of(), "first", BUILD)) {
            fleet.claim();
            try (Fleet second = find(2, Map.of(), "second", BUILD)) {
                assertThatThrownBy(second::claim)
                        .isInstanceOfSatisfying(PlimsollException.class, e -> assertThat(e.exit())
                                .isEqualTo(Exit.CLUSTER))
                        .hasMessageContaining("busy with run first")
                        .hasMessageContaining("a (127.0.0.1:");
                assertThat(second.status()).allMatch(line -> line.endsWith("busy with run first"));
            }
        }
        try (Fleet third = find(2, Map.of(), "third", BUILD)) {
            third.claim();
        }
    }

    @Test
    void anotherVersionIsRefusedWithBoth() {
        try (Fleet fleet = find(2, Map.of(), "run", "2.0 (def)")) {
            assertThatThrownBy(fleet::claim)
                    .hasMessageContaining("plimsoll 1.0 (abc)")
                    .hasMessageContaining("plimsoll 2.0 (def)");
        }
    }

    @Test
    void whatAnAgentDoesNotTakeEndsTheRunWithItsReason() {
        try (Fleet fleet = find(2, Map.of(), "refused", BUILD)) {
            fleet.claim();
            assertThatThrownBy(() -> run(fleet, """
                            name: refused
                            topics: [{name: TOPIC}]
                            producers:
                              - topic: TOPIC
                                rate: 10/s
                                config: {partitioner.class: org.apache.kafka.clients.producer.RoundRobinPartitioner}
                            duration: 1s
                            """))
                    .hasMessageContaining("an agent does not take partitioner.class from the network");
        }
    }

    @Test
    void whoIsMissingIsNamed() {
        assertThatThrownBy(() -> Fleet.find(new Fleet.Options(
                        List.of(first, new NodeAddress("127.0.0.1", 1)),
                        0,
                        Duration.ofSeconds(4),
                        Certificates.in(Optional.empty()),
                        new FleetRules(Map.of(), Map.of(), false),
                        "run",
                        BUILD)))
                .hasMessageContaining("missing: 127.0.0.1:1;");
    }
}
