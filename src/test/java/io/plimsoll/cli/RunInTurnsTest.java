package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that compare two settings, and runs that end when a check cannot pass, on real brokers. */
@Order(1)
class RunInTurnsTest {
    @TempDir
    Path directory;

    private InProcess run(String producer, String more, String... args) throws IOException {
        String topic = "in-turns-" + UUID.randomUUID();
        Path file = Files.writeString(
                directory.resolve("orders.yaml"),
                "name: orders\ntopics: [{name: " + topic + "}]\nproducers: [{topic: " + topic + ", " + producer + "}]\n"
                        + more);
        List<String> all = new ArrayList<>(List.of(
                "run",
                file.toString(),
                "--quiet",
                "--out",
                directory.resolve("runs").toString(),
                "--bootstrap-server",
                SharedLab.oneBroker().bootstrapServers()));
        all.addAll(List.of(args));
        return InProcess.run(all.toArray(String[]::new));
    }

    private Path made() throws IOException {
        try (Stream<Path> runs = Files.list(directory.resolve("runs"))) {
            return runs.findFirst().orElseThrow();
        }
    }

    private JsonNode result() throws IOException {
        return Json.MAPPER.readTree(made().resolve("result.json").toFile());
    }

    @Test
    void comparesTwoSettingsInTurns() throws IOException {
        InProcess run = run(
                "records: 300, record: {size: 100}",
                "audit: true\n",
                "--ab",
                "producers[0].config.acks=1|all",
                "--pairs",
                "3");
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("A +producers\\[0\\]\\.config\\.acks=1\\s")
                .containsPattern("B +producers\\[0\\]\\.config\\.acks=all\\s")
                .containsPattern(Said.en("report.basis.pairs"));
        JsonNode trials = result().get("trials");
        List<String> names = new ArrayList<>();
        trials.forEach(t -> {
            names.add(t.get("name").asText());
            assertThat(t.at("/audit/read").asLong()).isEqualTo(300);
            assertThat(t.at("/setup/producers[0]/acks").asText())
                    .isEqualTo(t.get("name").asText().endsWith("=1") ? "1" : "-1");
        });
        assertThat(names)
                .containsExactly(
                        "0A acks=1",
                        "1A acks=1",
                        "1B acks=all",
                        "2B acks=all",
                        "2A acks=1",
                        "3A acks=1",
                        "3B acks=all");
        ResultSchema.assertValid(result());
        assertThat(Files.readString(made().resolve("comparison.md"))).contains("| produce.throughput |");
        assertThat(InProcess.run("compare", made().toString()).out()).containsPattern(Said.en("report.basis.pairs"));
    }

    /**
     * At the same rate, this fraction of the bytes gives this fraction of the throughput, even in slow turns on a
     * starved machine.
     */
    @Test
    void failsWhenSecondValueIsClearlyWorse() throws IOException {
        InProcess worse = run(
                "rate: 400/s, records: 200",
                "",
                "--ab",
                "producers[0].record.size=8000|20",
                "--pairs",
                "6",
                "--fail-on-regression",
                "40%");
        // Too short for a busy machine to be valid each time (exit code 5), which takes precedence over the comparison;
        // fewer than three usable pairs then show no regression.
        int exit = result().get("exitCode").asInt();
        if (exit == 0) {
            assertThat(worse.exit()).as(worse.err()).isEqualTo(7);
            assertThat(worse.out())
                    .containsPattern(Said.en("report.gate.regression", "40 %"))
                    .contains("✗ ", "produce.throughput");
            assertThat(Files.readString(made().resolve("comparison.html")))
                    .containsPattern(Said.en("report.gate.regression", "40 %"));
        } else {
            assertThat(worse.exit()).isEqualTo(exit);
        }
    }

    @Test
    void endsOnceACheckCanNoLongerPass() throws IOException {
        String trials = "checks: [produce.response.max < 1us]\ntrials: [{name: a, set: {duration: 100s}},"
                + " {name: b, set: {duration: 100s}}]\nwarmup: 0\n";
        InProcess run = run("rate: 100/s", trials, "--abort-on-fail");
        assertThat(run.exit()).as(run.err()).isEqualTo(3);
        assertThat(run.out())
                .startsWith(Said.text("✗ «run.unreachable¦produce.response.max < 1us (»"))
                .contains("✗ produce.response.max < 1us");
        JsonNode result = result();
        assertThat(result.get("exitCode").asInt()).isEqualTo(3);
        assertThat(result.get("trials")).hasSize(1);
        assertThat(result.at("/trials/0/complete").asBoolean()).isFalse();
        assertThat(result.at("/trials/0/produce/records").asLong()).isPositive().isLessThan(10_000);
    }

    @Test
    void skipsTrialsAfterAFailedOne() throws IOException {
        String trials = """
            checks: [produce.response.p50 < 1us]
            abortOnFail: true
            trials: [{name: a, set: {about: x}}, {name: b, set: {about: y}}]
            """;
        InProcess run = run("records: 200", trials);
        assertThat(run.exit()).as(run.err()).isEqualTo(3);
        assertThat(run.out()).startsWith(Said.text("✗ «run.endedAfter¦a»; "));
        assertThat(result().get("trials")).hasSize(1);
        assertThat(result().at("/trials/0/complete").asBoolean()).isTrue();
    }

    @Test
    void refusesInvalidComparisonOptions() throws IOException {
        assertThat(run("records: 1", "", "--pairs", "3").err()).containsPattern(Said.en("cli.pairsWithoutAb"));
        assertThat(run("records: 1", "", "--fail-on-regression", "5%").err())
                .containsPattern(Said.en("cli.regressionWithoutAb"));
        assertThat(run("records: 1", "", "--ab", "producers[0].records=1|2", "--fail-on-regression", "5 or so")
                        .err())
                .containsPattern(Said.en("cli.notATolerance", "5 or so"));
        assertThat(run("records: 1", "", "--ab", "producers[0].records=1").err())
                .contains(Said.text("«scenario.notTwoValues»"));
        assertThat(run("records: 1", "", "--ab", "producers[0].recods=1|2").err())
                .contains("did you mean");
        assertThat(run("records: 1", "", "--ab", "producers[0].records=1|2", "--pairs", "0")
                        .exit())
                .isEqualTo(2);
    }
}
