package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.AuditResult.GroupAudit;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Consumer groups with members on two agents end, and count, like a group with all members in one process. */
@Tag("nightly")
@ResourceLock(SharedFleet.LOCK)
class FleetGroupsTest {
    private final String topic = "groups-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private TrialResult run(String yaml) {
        try (Fleet fleet = SharedFleet.find(SharedFleet.anywhere(), "groups")) {
            RunResult result = SharedFleet.result(SharedFleet.run(
                    fleet, yaml.replace("TOPIC", topic), SharedLab.oneBroker().bootstrapServers(), directory));
            return result.trials().get(0);
        }
    }

    private static long produced(TrialResult trial) {
        return trial.detail().partitions().stream().mapToLong(p -> p.produced()).sum();
    }

    private static void readAllOnce(TrialResult trial) {
        assertThat(trial.observed().workers())
                .hasSize(2)
                .allSatisfy(w -> assertThat(w.flow().consumed()).isPositive());
        assertThat(trial.detail().partitions())
                .allSatisfy(p -> assertThat(p.consumed()).isEqualTo(p.produced()));
        assertThat(trial.consume().groups()).singleElement().satisfies(group -> {
            assertThat(group.lagAtEnd()).isZero();
            assertThat(group.rebalances()).isZero();
        });
        assertThat(trial.consume().reading().missing()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "client, earliest, auto, classic",
        "client, '{after: produce}', '{sync: {every: 1}}', classic",
        "client, '{backlog: 2s}', '{async: {every: 10}}', consumer",
        "client, latest, none, consumer",
        "client, '{backlog: 600KB}', auto, classic",
        "raw, earliest, none, classic",
        "raw, '{after: produce}', none, classic",
        "raw, '{backlog: 600KB}', none, classic"
    })
    void readsEverythingOnceForAnyStartAndCommit(
            String engine, String start, String commit, String protocol) {
        TrialResult trial =
                run("""
                    name: groups
                    topics: [{name: TOPIC, partitions: 7}]
                    producers: [{topic: TOPIC, clients: 3, rate: 3000/s, record: {size: 100, key: sequential}}]
                    consumers:
                      - topic: TOPIC
                        members: 5
                        engine: %s
                        start: %s
                        commit: %s
                        config: {%s}
                    duration: 4s
                    warmup: 1s
                    audit: true
                    """.formatted(engine, start, commit, engine.equals("raw") ? "" : "group.protocol: " + protocol));
        assertThat(produced(trial)).isEqualTo(15_000);
        readAllOnce(trial);
        assertThat(trial.audit().counts().lost()).isZero();
        if (start.contains("600KB")) {
            // Neither agent's producers reach this amount alone before both together do: about 1.5 MB, split two to
            // one.
            assertThat(trial.consume().reading().backlog()).isNotNull();
        }
        if (engine.equals("client") && !commit.equals("none")) {
            assertThat(trial.audit().groups()).singleElement().isEqualTo(new GroupAudit(id(trial), 0, 0L, null));
        }
    }

    private static String id(TrialResult trial) {
        return trial.consume().groups().get(0).id();
    }

    @Test
    void membersWithoutPartitionsWaitForTheGroup() {
        TrialResult trial = run("""
            name: groups
            topics: [{name: TOPIC, partitions: 2}]
            producers: [{topic: TOPIC, clients: 2, rate: 1000/s, record: {size: 100, key: sequential}}]
            consumers: [{topic: TOPIC, members: 6, idleTimeout: 1s}]
            duration: 4s
            warmup: 0s
            """);
        assertThat(trial.detail().partitions())
                .allSatisfy(p -> assertThat(p.consumed()).isEqualTo(p.produced()));
        assertThat(trial.consume().groups().get(0).lagAtEnd()).isZero();
    }
}
