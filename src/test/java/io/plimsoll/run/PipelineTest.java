package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines on a real broker: exactly once with transactions; without them duplicates are reported. */
class PipelineTest {
    private static final String PIPELINE = """
        name: pipeline
        topics: [{name: %1$s-in, partitions: 2}, {name: %1$s-out, partitions: 2}]
        producers: [{topic: %1$s-in, rate: 500/s, records: 2500, record: {size: 100, key: {uniform: 50}}}]
        consumers:
          - kind: pipeline
            topic: %1$s-in
            output: %1$s-out
            members: 2
            transactional: %2$s
            work: {each: 1ms, failures: 1%%}
            config: {max.poll.records: 20}
        warmup: 0s
        audit: true
        """;

    @TempDir
    Path out;

    private Map<String, Long> pipelined(String yaml) {
        TrialResult trial = Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out)
                .trials()
                .get(0);
        Map<String, Long> found = new TreeMap<>(trial.consume().events());
        assertThat(found.remove("pipeline.inputs")).isEqualTo(2500);
        assertThat(found.remove("workFailures")).isPositive();
        assertThat(found.remove("pipeline.left")).isNull();
        return found;
    }

    @Test
    void transactionsYieldOneOutputPerRecord() {
        Map<String, Long> found = pipelined(PIPELINE.formatted("once", "true"));
        assertThat(found.remove("aborted")).isPositive();
        assertThat(found).isEmpty();
    }

    /** The output has the records of an earlier run. Its inputs had the same offsets. */
    @Test
    void earlierOutputsAreNotAudited() throws Exception {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", SharedLab.oneBroker().bootstrapServers()))) {
            new Topics(admin).create(List.of(new NewTopic("again-out", 2, (short) 1)), Duration.ofSeconds(60));
        }
        String yaml = PIPELINE.formatted("again", "true")
                .replace("{name: again-out, partitions: 2}", "{name: again-out, existing: true}")
                .replace("records: 2500", "records: 200");
        for (int i = 0; i < 2; i++) {
            TrialResult trial = Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out)
                    .trials()
                    .get(0);
            Map<String, Long> found = trial.consume().events();
            assertThat(found.get("pipeline.inputs")).isEqualTo(200);
            assertThat(found)
                    .doesNotContainKeys("pipeline.doubled", "pipeline.altered", "pipeline.phantom", "pipeline.lost");
        }
    }

    /** Each audit covers the records of its own entry. */
    @Test
    void pipelinesCanShareAnOutput() {
        TrialResult trial = Runs.run("""
            name: shared-output
            topics: [{name: shared-a}, {name: shared-b}, {name: shared-out, partitions: 2}]
            producers:
              - {topic: shared-a, rate: 500/s, records: 300, record: {size: 100}}
              - {topic: shared-b, rate: 500/s, records: 400, record: {size: 100}}
            consumers:
              - {kind: pipeline, topic: shared-a, output: shared-out}
              - {kind: pipeline, topic: shared-b, output: shared-out}
            warmup: 0s
            """, SharedLab.oneBroker().bootstrapServers(), out)
                .trials()
                .get(0);
        Map<String, Long> found = new TreeMap<>(trial.consume().events());
        found.keySet().removeIf(event -> !event.startsWith("pipeline."));
        assertThat(found).isEqualTo(Map.of("pipeline.inputs", 700L));
    }

    /** With two groups the writer is ambiguous: a check without an audit does not pass. */
    @Test
    void checkWithoutAuditFails() {
        String yaml = PIPELINE.formatted("unaudited", "false")
                        .replace("records: 2500", "records: 500")
                        .replace("members: 2", "groups: 2")
                + "checks: [pipeline.lost == 0]\n";
        RunResult result = Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out);
        TrialResult trial = result.trials().get(0);
        assertThat(trial.consume().events()).containsKey("pipeline.unaudited").doesNotContainKey("pipeline.inputs");
        assertThat(trial.judgement().checks()).singleElement().satisfies(check -> {
            assertThat(check.passed()).isFalse();
            assertThat(check.measured()).isNull();
        });
        assertThat(result.head().exitCode()).isEqualTo(Exit.CHECK_FAILED.code());
    }

    @Tag("nightly")
    @Test
    void reportsDuplicatesWithoutTransactions() {
        Map<String, Long> found = pipelined(PIPELINE.formatted("twice", "false"));
        assertThat(found.get("pipeline.doubled")).isPositive();
        assertThat(found).containsOnlyKeys("pipeline.doubled");
    }

    @Tag("nightly")
    @Test
    void transactionsSurviveKillsWithoutLossOrDuplicates() {
        StringBuilder faults = new StringBuilder("faults:\n");
        for (int i = 0; i < 5; i++) {
            faults.append("  - {at: ").append(1000 + 900 * i).append("ms, killMember: any, restartAfter: 300ms}\n");
        }
        String yaml = PIPELINE.formatted("killed", "true")
                        .replace("{max.poll.records: 20}", "{max.poll.records: 20, session.timeout.ms: 6000}")
                + faults;
        Map<String, Long> found = pipelined(yaml);
        found.keySet().removeIf(event -> !event.startsWith("pipeline."));
        assertThat(found).isEmpty();
    }
}
