package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.report.Look;
import io.plimsoll.report.RunReport;
import io.plimsoll.report.html.RunSeries;
import io.plimsoll.result.CheckResult;
import io.plimsoll.result.CheckWatch;
import io.plimsoll.result.Fold;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Labeled;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.testing.PlainLog;
import io.plimsoll.testing.Runs;
import io.plimsoll.text.Language;
import io.plimsoll.web.RunTotals;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
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
    void reportsFiguresByLabelAndGroup() throws Exception {
        String bootstrap = SharedLab.oneBroker().bootstrapServers();
        String topic = "labels-" + UUID.randomUUID();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(30));
        }
        RunTotals totals = new RunTotals();
        RunResult result = Runs.run(Runs.request("""
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
                  # Team audit has 150 records in total; after a pause of the host, many arrive in one second.
                  - produce[team=audit].throughput > 150/s for 1%% of seconds
                  - produce[team=payments].records >= 590
                  - produce[team=audit].records >= 590
                  - produce[team=audit].response.max < 300ms
                  - consume["consumers-1"].endToEnd.max < 1s
                  - consume[group=fast-%1$s].records >= 740
                  - consume[team=audit].lag > 100
                  - consume["fast-%1$s"].lagAtEnd == 0
                """.formatted(topic), bootstrap, out), totals::snapshot);

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
                .isCloseTo(trial.produce().volume().recordsPerSecond(), within(1e-6));
        assertThat(trial.detail().labels())
                .extracting(Labeled::label)
                .containsExactly("group=consumers-1", "group=fast-" + topic, "team=audit", "team=payments", "tier=1");
        sameFromTheTimeline(trial);
        shown(result, log);
        exported(totals, log);
    }

    private void shown(RunResult result, Map<String, Long> log) throws Exception {
        List<String> row = RunReport.terminal(result, Look.plain(Language.EN))
                .lines()
                .filter(line -> line.strip().startsWith("label: team=audit;"))
                .toList();
        assertThat(row).singleElement().asString().contains("offered/s: 50;", "resp p50: ");
        assertThat(RunReport.markdown(result, Language.ZH)).contains("| tier=1 |", "| group=consumers-1 |");
        try (Stream<Path> runs = Files.list(out);
                RunDirectory directory = RunDirectory.open(runs.findFirst().orElseThrow())) {
            var points = RunSeries.of(directory).trials().get("labels").points();
            Map<String, List<Number>> columns = points.values();
            assertThat(columns.keySet().stream().filter(c -> c.startsWith("label ")))
                    .contains("label team=audit consume.lag", "label team=payments produce.response.p99")
                    .doesNotContain("label team=payments consume.throughput");
            List<Number> rates = columns.get("label team=payments produce.throughput");
            double acknowledged = 0;
            for (int i = 0; i < rates.size(); i++) {
                double from = i == 0 ? 0 : points.times().get(i - 1).doubleValue();
                double seconds = points.times().get(i).doubleValue() - from;
                acknowledged += rates.get(i) == null ? 0 : rates.get(i).doubleValue() * seconds;
            }
            assertThat(acknowledged).isCloseTo(log.get("p"), within(0.3 * log.get("p")));
        }
    }

    private static void exported(RunTotals totals, Map<String, Long> log) {
        Map<Map<String, String>, Double> acknowledged = new HashMap<>();
        totals.metrics().stream()
                .filter(m -> m.name().equals("plimsoll_labeled_records_acknowledged"))
                .flatMap(m -> m.samples().stream())
                .forEach(s -> acknowledged.put(s.labels(), s.number()));
        assertThat(acknowledged)
                .containsEntry(
                        Map.of("trial", "labels", "team", "payments"),
                        log.get("p").doubleValue())
                .containsEntry(
                        Map.of("trial", "labels", "team", "audit"), log.get("a").doubleValue());
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
            String held = "produce[team=payments].response.max <= %.0fus".formatted(1.01 * slowest(trial, "payments"));
            String missed = "produce[team=audit].response.max < %.0fus".formatted(0.99 * slowest(trial, "audit"));
            CheckWatch watch = new CheckWatch(List.of(CheckParser.parse(held), CheckParser.parse(missed)), 3);
            try (Stream<TimelineEvent> timeline = directory.readTimeline()) {
                assertThat(timeline.filter(TimelineEvent.Measured.class::isInstance)
                                .flatMap(e -> watch.accept(((TimelineEvent.Measured) e).snapshot()).stream()))
                        .isNotEmpty()
                        .allMatch(broken -> broken.arguments().contains(missed));
            }
        }
    }

    private static double slowest(TrialResult trial, String team) {
        return trial.of("team=" + team).produce().times().responseTime().max();
    }
}
