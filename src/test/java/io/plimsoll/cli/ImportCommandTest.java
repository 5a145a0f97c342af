package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The import command reads results of other tools, or reports the mistake in them. */
class ImportCommandTest {
    @TempDir
    Path directory;

    @Test
    void importsOldMeasurementsAsARun() throws IOException {
        Path sent = Files.writeString(directory.resolve("sent.txt"), """
            50000000 records sent, 615558.865894 records/sec (58.70 MB/sec), 375.32 ms avg latency, 2870.00 ms max \
            latency, 84 ms 50th, 1253 ms 95th,2091 ms 99th, 2806 ms 99.9th.
            """);
        Path read = Files.writeString(directory.resolve("read.txt"), """
            2022-06-16 07:58:37:525, 2022-06-16 07:59:44:772, 4768.3716, 70.9083, 50000000, 743527.5923, \
            1655373517960, -1655373450713, -0.0000, -0.0302
            """);
        InProcess imported = InProcess.run(
                "import",
                sent.toString(),
                read.toString(),
                "--out",
                directory.resolve("runs").toString());
        assertThat(imported.exit()).as(imported.err()).isZero();
        assertThat(imported.out())
                .containsPattern(Said.en("cli.imported", 2, 2))
                .contains("615,559")
                .contains("service p99")
                .contains("2.09 s")
                .contains("the rebalance took 435 ms");
        Path report = Path.of(imported.out().lines().reduce((a, b) -> b).orElseThrow());
        assertThat(report).exists();
        Path run = report.getParent();
        ResultSchema.assertValid(run.resolve("result.json"));
        JsonNode result = Json.MAPPER.readTree(run.resolve("result.json").toFile());
        assertThat(result.at("/trials/0/produce/errors").isNull()).isTrue();
        assertThat(result.at("/trials/0/startedAt").isNull()).isTrue();
        for (String format : new String[] {"terminal", "md", "json"}) {
            InProcess again = InProcess.run("report", run.toString(), "--format", format);
            assertThat(again.exit()).as(again.err()).isZero();
            assertThat(again.out()).contains("Imported 2 measurements");
        }
    }

    @Test
    void showsSingleMeasurementInDetail() throws IOException {
        Path sent = Files.writeString(directory.resolve("one.txt"), """
            200 records sent, 10.0 records/sec (0.01 MB/sec), 5.40 ms avg latency, 428.00 ms max latency, 2 ms 50th, \
            14 ms 95th, 26 ms 99th, 428ms 99.9th.
            """);
        InProcess imported = InProcess.run("import", sent.toString(), "--out", directory.toString());
        assertThat(imported.exit()).as(imported.err()).isZero();
        assertThat(imported.out()).contains("one: 20 s measured").containsPattern("service time +2\\.0 ms");
    }

    /** Old versions of OpenMessaging Benchmark do not store the size of messages, so rates in bytes are unknown. */
    @Test
    void importsResultWithoutRecordSize() throws IOException {
        Path result = Files.writeString(directory.resolve("omb.json"), """
            {"workload": "w", "driver": "Kafka", "publishRate": [1000.0, 1002.0], "consumeRate": [1000.0, 1002.0],
             "aggregatedPublishLatencyAvg": 3.1, "aggregatedPublishLatency50pct": 2.9,
             "aggregatedPublishLatency75pct": 3.1, "aggregatedPublishLatency95pct": 3.4,
             "aggregatedPublishLatency99pct": 4.4, "aggregatedPublishLatency999pct": 5,
             "aggregatedPublishLatency9999pct": 6, "aggregatedPublishLatencyMax": 8}
            """);
        InProcess imported = InProcess.run("import", result.toString(), "--out", directory.toString());
        assertThat(imported.exit()).as(imported.err()).isZero();
        assertThat(imported.out()).containsPattern(Said.en("report.key.records", "1,001"));
        Path run = Path.of(imported.out().lines().reduce((a, b) -> b).orElseThrow())
                .getParent();
        for (String format : List.of("terminal", "md", "csv", "json")) {
            InProcess again = InProcess.run("report", run.toString(), "--format", format);
            assertThat(again.exit()).as(again.err()).isZero();
        }
    }

    /** Their verdicts are verbatim text. */
    @Test
    void readsImportsOfEarlierVersions() throws IOException {
        Path sent = Files.writeString(directory.resolve("one.txt"), """
            200 records sent, 10.0 records/sec (0.01 MB/sec), 5.40 ms avg latency, 428.00 ms max latency, 2 ms 50th, \
            14 ms 95th, 26 ms 99th, 428ms 99.9th.
            """);
        String out = InProcess.run("import", sent.toString(), "--out", directory.toString())
                .out();
        Path run = Path.of(out.lines().reduce((a, b) -> b).orElseThrow()).getParent();
        List<String> words = new ArrayList<>();
        for (String line : Files.readAllLines(run.resolve(RunDirectory.TIMELINE))) {
            JsonNode event = Json.MAPPER.readTree(line);
            if (event.path("verdict") instanceof ObjectNode verdict) {
                verdict.remove(List.of("sentenceKeyed", "warningsKeyed"));
            }
            words.add(event.toString());
        }
        Files.write(run.resolve(RunDirectory.TIMELINE), words);
        Sentence verdict = Fold.of(RunDirectory.open(run)).verdict().sentence();
        assertThat(verdict.isVerbatim()).isTrue();
        assertThat(verdict.english()).startsWith("Imported 1 measurement");
    }

    @Test
    void namesUnusableFiles() throws IOException {
        Path none = Files.writeString(directory.resolve("none.txt"), "nothing\n");
        InProcess run = InProcess.run(
                "import", none.toString(), "--out", directory.resolve("runs").toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("plimsoll: "
                        + Sentence.of("result.notImported", none, Sentence.of("result.notImported.noResult"))
                                .english());
        assertThat(directory.resolve("runs")).doesNotExist();
        InProcess missing = InProcess.run("import", directory.resolve("gone").toString());
        assertThat(missing.exit()).isEqualTo(2);
        assertThat(missing.err())
                .startsWith("plimsoll: file ")
                .contains("gone does not exist; specify the path of saved output");
    }
}
