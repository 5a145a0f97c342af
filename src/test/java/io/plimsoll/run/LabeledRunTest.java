package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.CheckResult;
import io.plimsoll.result.Fold;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Labeled;
import io.plimsoll.testing.PlainLog;
import io.plimsoll.testing.Runs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures by label and by group agree with the log, and a check of one label fails while a check of another label passes. */
@Order(1)
class LabeledRunTest {
    @TempDir
    Path out;

    /** The keys in the log tell the entries apart; one lingers, and one group works too slowly. */
    @Test
    void labelsAndGroupsHaveFiguresOfTheirOwn() throws Exception {
        String bootstrap = SharedLab.oneBroker().bootstrapServers();
        String topic = "labels-" + UUID.randomUUID();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(30));
        }
        RunResult result = Runs.run("""
                name: labels
                topics: [{name: %1$s, existing: true}]
                producers:
                  - {topic: %1$s, rate: 200/s, record: {size: 100B, key: {fixed: p}}, config: {linger.ms: 0},
                     labels: {team: payments, tier: "1"}}
                  - {topic: %1$s, rate: 50/s, record: {size: 100B, key: {fixed: a}}, config: {linger.ms: 400},
                     labels: {team: audit, tier: "1"}}
                consumers:
                  - {topic: %1$s, config: {group.id: fast-%1$s}}
                  - {topic: %1$s, labels: {team: audit}, work: {each: 8ms}}
                warmup: 0s
                duration: 3s
                checks:
                  - produce[team=payments].throughput > 100/s for 1%% of seconds
                  - produce[team=audit].throughput > 100/s for 1%% of seconds
                  - produce[team=payments].records >= 590
                  - produce[team=audit].records >= 590
                  - produce[team=audit].response.max < 300ms
                  - consume["consumers-1"].endToEnd.max < 1s
                  - consume[group=fast-%1$s].records >= 740
                  - consume[team=audit].lag > 100
                  - consume["fast-%1$s"].lagAtEnd == 0
                """.formatted(topic), bootstrap, out);

        TrialResult trial = result.trials().get(0);
        assertThat(trial.judgement().checks())
                .extracting(CheckResult::passed)
                .containsExactly(true, false, true, false, false, false, true, true, true);

        Map<String, Long> log = new PlainLog(bootstrap, topic, "read_committed")
                .records().stream()
                        .collect(Collectors.groupingBy(
                                r -> new String(r.key(), StandardCharsets.UTF_8), Collectors.counting()));
        long all = log.get("p") + log.get("a");
        assertThat(records(trial, "team=payments")).isEqualTo(log.get("p"));
        assertThat(records(trial, "team=audit")).isEqualTo(log.get("a"));
        assertThat(records(trial, "tier=1")).isEqualTo(all);
        assertThat(trial.of("team=audit").produce().times().responseTime().count())
                .isEqualTo(log.get("a"));
        for (String label : List.of("team=audit", "group=fast-" + topic, "group=consumers-1")) {
            assertThat(trial.of(label).consume().volume().records()).as(label).isEqualTo(all);
            assertThat(trial.of(label).consume().times().endToEnd().count())
                    .as(label)
                    .isEqualTo(all);
            assertThat(trial.of(label).consume().groups()).as(label).hasSize(1);
        }
        assertThat(trial.of("group=fast-" + topic).produce()).isNull();
        assertThat(trial.of("team=payments").consume()).isNull();
        assertThat(trial.of("team=payments").produce().volume().recordsPerSecond()
                        + trial.of("team=audit").produce().volume().recordsPerSecond())
                .isEqualTo(trial.produce().volume().recordsPerSecond());
        assertThat(trial.detail().labels())
                .extracting(Labeled::label)
                .containsExactly("group=consumers-1", "group=fast-" + topic, "team=audit", "team=payments", "tier=1");
        sameFromTheTimeline(trial);
    }

    private static long records(TrialResult trial, String label) {
        return trial.of(label).produce().volume().records();
    }

    private void sameFromTheTimeline(TrialResult trial) throws Exception {
        try (Stream<Path> runs = Files.list(out);
                RunDirectory directory = RunDirectory.open(runs.findFirst().orElseThrow())) {
            assertThat(Fold.of(directory).trials().get(0).detail().labels())
                    .usingRecursiveComparison()
                    .ignoringFieldsMatchingRegexes(".*seconds", ".*pace.*")
                    .isEqualTo(trial.detail().labels());
        }
    }
}
