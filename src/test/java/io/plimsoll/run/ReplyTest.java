package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cli.InProcess;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.payload.Stamp;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.AnsweringApp;
import io.plimsoll.testing.AnsweringApp.Habits;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Latency up to an application's reply matches the application's log; missing replies are counted and listed. */
class ReplyTest {
    private static final int RECORDS = 400;
    private static final int DROP_EACH = 57;
    private static final int DOUBLE_EACH = 31;
    private static final Duration PLANTED = Duration.ofMillis(80);
    private static final Duration STALL = Duration.ofMillis(900);
    private static final int STRANGERS = 3;
    private static final Pattern PLACE = Pattern.compile("[a-z0-9-]+@\\d+");

    @TempDir
    Path out;

    private final String bootstrap = SharedLab.oneBroker().bootstrapServers();
    private final String topic = "asked-" + UUID.randomUUID();
    private final String results = topic + "-answers";

    private String scenario(String match, String record) {
        return """
            name: reply
            topics: [{name: %1$s, existing: true, partitions: 2}, {name: %2$s, existing: true}]
            producers:
              - topic: %1$s
                rate: 200/s
                records: %3$d
                record: %5$s
                reply: {topic: %2$s, match: %4$s, wait: 2s}
            warmup: 0s
            checks: [reply.missing == 7, reply.latency.p50 < 10s]
            """.formatted(topic, results, RECORDS, match, record);
    }

    private void topics() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            List<NewTopic> made = List.of(new NewTopic(topic, 2, (short) 1), new NewTopic(results, 2, (short) 1));
            new Topics(admin).create(made, Duration.ofSeconds(30));
        }
    }

    private AnsweringApp app() {
        Habits habits = new Habits(PLANTED, DROP_EACH, DOUBLE_EACH, 150, STALL);
        return new AnsweringApp(bootstrap, topic, results, habits);
    }

    /** Runs beside the application; foreign replies arrive in the middle. */
    private TrialResult run(AnsweringApp app, String yaml) {
        boolean[] strange = {false};
        return Runs.run(yaml, bootstrap, out, snapshot -> {
                    if (!strange[0]) {
                        strange[0] = true;
                        app.strange(STRANGERS);
                    }
                })
                .trials()
                .get(0);
    }

    private static void assertCounted(TrialResult trial) {
        Map<String, Double> figures = trial.detail().figures();
        int missing = RECORDS / DROP_EACH;
        // No record is in both sets: that would be number 1767.
        int twice = RECORDS / DOUBLE_EACH;
        assertThat(figures)
                .containsEntry("reply.sent", (double) RECORDS)
                .containsEntry("reply.answered", (double) RECORDS - missing)
                .containsEntry("reply.missing", (double) missing)
                .containsEntry("reply.twice", (double) twice)
                .containsEntry("reply.toNobody", (double) STRANGERS);
        assertThat(trial.detail().distributions().get("reply.latency").count()).isEqualTo(RECORDS);
        assertThat(trial.judgement().checks()).allMatch(check -> check.passed());
    }

    @Test
    void countsAndTimesRepliesLikeApplication() {
        topics();
        try (AnsweringApp app = app()) {
            TrialResult trial = run(app, scenario("header", "{size: 100}"));
            assertCounted(trial);
            TrialResult.Latency latency = trial.detail().distributions().get("reply.latency");
            long[] earliest = times(app, app.answered);
            long[] latest = times(app, app.readable);
            // Receiving a readable reply takes a core and a poll: less than half of the stall, even on a busy host.
            long seen = STALL.toNanos() / 1000 / 2;
            // An unanswered record waits longest.
            int p50 = RECORDS / 2 - 1;
            int p90 = RECORDS * 9 / 10 - 1;
            assertThat(latency.percentiles().p50()).isBetween(earliest[p50] - 1_000, latest[p50] + seen);
            assertThat(latency.percentiles().p90()).isBetween(earliest[p90] - 1_000, latest[p90] + seen);
            assertThat(latency.min()).isGreaterThanOrEqualTo(PLANTED.toMillis() * 1000 - 100);
            // The stall affects every record due in it, not a single one.
            assertThat(latency.percentiles().p90()).isGreaterThan(STALL.toMillis() * 1000 / 3);
            assertThat(latency.max()).isGreaterThanOrEqualTo(2_000_000);
            assertListed(app, trial);
        }
    }

    /** The times since each answered record was due, in microseconds and in order. */
    private static long[] times(AnsweringApp app, Map<String, Long> nanos) {
        return nanos.entrySet().stream()
                .mapToLong(e ->
                        (e.getValue() - Stamp.intendedEpochNanos(ByteBuffer.wrap(app.taken.get(e.getKey())))) / 1000)
                .sorted()
                .toArray();
    }

    private void assertListed(AnsweringApp app, TrialResult trial) {
        Set<String> dropped = new TreeSet<>(app.taken.keySet());
        dropped.removeAll(app.answered.keySet());
        String said = trial.judgement().warnings().stream()
                .map(w -> w.in(Language.EN))
                .filter(Said.en("load.reply.missing").asPredicate())
                .collect(Collectors.joining());
        Set<String> listed = new TreeSet<>();
        for (Matcher place = PLACE.matcher(said); place.find(); ) {
            listed.add(place.group());
        }
        assertThat(listed).isEqualTo(dropped);
    }

    @Test
    void countsMissingRepliesInWindowBelowOneSecond() {
        topics();
        String yaml = scenario("header", "{size: 100}")
                .replace("rate: 200/s", "rate: 2000/s")
                .replace("2s", "100ms");
        TrialResult trial = Runs.run(yaml, bootstrap, out).trials().get(0);
        assertThat(trial.detail().figures())
                .containsEntry("reply.sent", (double) RECORDS)
                .containsEntry("reply.missing", (double) RECORDS);
    }

    @Test
    @Tag("nightly")
    void matchesByKey() {
        topics();
        try (AnsweringApp app = app()) {
            assertCounted(run(app, scenario("key", "{size: 100, key: sequential}")));
        }
    }

    @Test
    @Tag("nightly")
    void matchesByField() {
        topics();
        try (AnsweringApp app = app()) {
            String record = "{payload: {template: '{\"order\": {\"id\": \"no-${sequence:1000}\"}}'}}";
            assertCounted(run(app, scenario("{field: order.id}", record)));
        }
    }

    @Test
    void refusesUnmatchableRepliesBeforeRun() throws Exception {
        assertThat(refusal("key", "{size: 100}", "client")).contains(Said.text("«scenario.replyKey»"));
        assertThat(refusal("field", "{size: 100}", "client")).contains(Said.text("«scenario.replyField»"));
        assertThat(refusal("header", "{size: 100}", "raw")).contains(Said.text("«load.rawRecurs»"));
    }

    private String refusal(String match, String record, String engine) throws Exception {
        Path file = Files.writeString(out.resolve("scenario.yaml"), scenario(match, record));
        InProcess run = InProcess.run(
                "run",
                file.toString(),
                "--bootstrap-server",
                bootstrap,
                "--out",
                out.toString(),
                "--set",
                "producers[0].engine=" + engine);
        assertThat(run.exit()).isEqualTo(2);
        return run.err();
    }
}
