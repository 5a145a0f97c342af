package io.plimsoll.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.cli.InProcess;
import io.plimsoll.result.Json;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Adjacent run directories reveal what changed, with which run, and whether the host was the reason. */
class HistoryTest {
    private static final String P99 = "produce.response.p99";
    private static final int RUNS = 40;
    private static final Instant FIRST = Instant.parse("2026-01-01T06:00:00Z");

    @TempDir
    Path runs;

    private final SplittableRandom random = new SplittableRandom(3);

    private double noise() {
        return 0.98 + 0.04 * random.nextDouble();
    }

    /** One run per day, each a copy of a measured one with another p99 and further changes. */
    private void write(int count, BiConsumer<Integer, ObjectNode> change) throws IOException {
        for (int i = 0; i < count; i++) {
            ObjectNode result;
            try (InputStream in = new GZIPInputStream(getClass().getResourceAsStream("/runs/quick.result.json.gz"))) {
                result = (ObjectNode) Json.MAPPER.readTree(in);
            }
            result.put("startedAt", FIRST.plus(Duration.ofDays(i)).toString());
            p99(result, 56_000 * noise());
            cpu(result, 56 * noise());
            change.accept(i, result);
            Path run = Files.createDirectories(runs.resolve(String.format("run-%04d", i)));
            Files.writeString(run.resolve(RunDirectory.RESULT), result.toString());
        }
    }

    private static ObjectNode trial(ObjectNode result) {
        return (ObjectNode) result.path("trials").get(0);
    }

    private static void p99(ObjectNode result, double micros) {
        ((ObjectNode) trial(result).path("produce").path("responseTime")).put("p99", Math.round(micros));
    }

    private static void cpu(ObjectNode result, double micros) {
        ((ObjectNode) trial(result).path("generator")).put("cpuMicrosPerRecord", micros);
    }

    private InProcess check(String... more) {
        String[] words = {"history", "check", runs.toString(), "--figure", P99};
        return InProcess.run(
                java.util.stream.Stream.concat(java.util.Arrays.stream(words), java.util.Arrays.stream(more))
                        .toArray(String[]::new));
    }

    @Test
    void regressionFailsCheckAndNamesRunAndOtherChanges() throws IOException {
        write(RUNS, (i, result) -> {
            if (i >= RUNS - 4) {
                p99(result, 67_000 * noise());
                ((ObjectNode) result.path("tool")).put("commit", "abcdef0");
            }
        });
        InProcess checked = check();
        assertThat(checked.out()).contains("✗", "Worse since", "run-0036", "tool.plimsoll", "abcdef0");
        assertThat(checked.exit()).isEqualTo(7);
        assertThat(check("--tolerance", "40%").exit()).isZero();
        InProcess blind = check("--newest", "2");
        assertThat(blind.err()).as("a change is of three runs at least").contains("--newest", "3 or more");
        assertThat(blind.exit()).isEqualTo(2);
        assertThat(InProcess.run("history", runs.toString(), "--figure", P99).out())
                .contains("•", "─", "Worse since 2026-02-06");
    }

    @Test
    void improvementPassesCheck() throws IOException {
        write(RUNS, (i, result) -> p99(result, (i < 20 ? 56_000 : 41_000) * noise()));
        assertThat(check().out()).containsPattern(Said.en("cli.history.notWorse"));
        assertThat(check().exit()).isZero();
        assertThat(InProcess.run("history", runs.toString(), "--figure", P99).out())
                .containsPattern(Said.en("report.history.nothingElse"))
                .contains("Better since");
    }

    /** A small improvement does not undo a larger one before it, and neither does one caused by the host. */
    @Test
    void judgesNetChangeAcrossNewestRuns() throws IOException {
        write(60, (i, result) -> {
            if (i >= 45) {
                p99(result, (i >= 55 ? 70_000 : 78_000) * noise());
            }
        });
        InProcess checked = check();
        assertThat(checked.out()).contains("Worse since", "run-0045");
        assertThat(checked.exit()).isEqualTo(7);
        assertThat(check("--newest", "10").exit())
                .as("what was there for longer is accepted")
                .isZero();
        assertThat(check("--newest", "10").out()).containsPattern(Said.en("report.history.shortSince"));
    }

    @Test
    void refusesToCheckFigureWithoutBetterDirection() throws IOException {
        write(RUNS, (i, result) -> ((ObjectNode) trial(result).path("produce")).put("errors", 0));
        InProcess checked =
                InProcess.run("history", "check", runs.toString(), "--figure", P99, "--figure", "produce.errors");
        assertThat(checked.err()).containsPattern(Said.en("cli.history.noSide", "produce.errors"));
        assertThat(checked.exit()).isEqualTo(2);
        assertThat(InProcess.run(
                                "history",
                                runs.toString(),
                                "--figure",
                                "produce.errors",
                                "--format",
                                "benchmark-bigger")
                        .out())
                .doesNotContain("produce.errors");
    }

    /** A renamed trial stays in the history: it neither fails nor passes current checks. */
    @Test
    void doesNotCheckFigureMissingFromNewestRuns() throws IOException {
        write(RUNS, (i, result) -> {
            p99(result, (i < 30 ? 56_000 : 90_000) * noise());
            if (i >= 36) {
                trial(result).put("name", "renamed");
            }
        });
        InProcess checked = check("--newest", "4", "--trial", "latency");
        assertThat(checked.out()).containsPattern(Said.en("cli.history.gone", 4));
        assertThat(checked.exit()).isEqualTo(5);
    }

    @Test
    void concurrentIndexingSucceeds() throws Exception {
        write(RUNS, (i, result) -> {});
        List<Path> same = List.of(runs);
        List<CompletableFuture<Integer>> opened = IntStream.range(0, 4)
                .mapToObj(n -> CompletableFuture.supplyAsync(() -> {
                    try (History history = History.open(same, false)) {
                        return history.runs().size();
                    }
                }))
                .toList();
        for (CompletableFuture<Integer> each : opened) {
            assertThat(each.get()).isEqualTo(RUNS);
        }
    }

    @Test
    void reportsSmallerScaleAsAChange() throws IOException {
        write(RUNS, (i, result) -> {
            if (i >= RUNS - 6) {
                p99(result, 90_000 * noise());
                result.put("scale", 0.1);
            }
        });
        assertThat(check().out()).contains("--scale: – → 0.1");
    }

    /** Container bridges have new names in each job, as does its temporary cluster. */
    @Test
    void ignoresEphemeralNamesAsCause() throws IOException {
        write(RUNS, (i, result) -> {
            ObjectNode host = (ObjectNode) result.path("environment").path("host");
            host.putArray("networks").addObject().put("name", i < RUNS - 6 ? "br-1" : "br-2");
            if (i >= RUNS - 6) {
                p99(result, 90_000 * noise());
            }
        });
        assertThat(check().exit()).isEqualTo(7);
        Shift slower = new Shift(30, 40, 56, 70, 1.2, Map.of("cluster.id", "a → b"));
        assertThat(slower.ofHost(false)).isTrue();
        assertThat(new Shift(30, 40, 56, 70, 1, Map.of("cluster.id", "a → b")).ofHost(false))
                .isFalse();
    }

    /** An invalid or interrupted run is not evidence about the cluster: no gate fails because of it. */
    @Test
    void excludesAndCountsInvalidRuns() throws IOException {
        write(RUNS, (i, result) -> {
            if (i >= RUNS - 5) {
                p99(result, 90_000 * noise());
                trial(result).put(i % 2 == 0 ? "valid" : "complete", false);
            }
        });
        InProcess checked = check();
        assertThat(checked.out())
                .contains("35 runs")
                .containsPattern(Said.en("cli.history.notWorse"))
                .containsPattern(Said.en("report.history.leftOut", 5));
        assertThat(checked.exit()).isZero();
        assertThat(InProcess.run("history", runs.toString(), "--figure", P99, "--format", "json")
                        .out())
                .contains("\"leftOut\":5");
    }

    @Test
    void slowerHostIsNoRegression() throws IOException {
        write(RUNS, (i, result) -> {
            if (i >= RUNS - 6) {
                p99(result, 70_000 * noise());
                cpu(result, 70 * noise());
            }
        });
        assertThat(check().exit()).isZero();
        assertThat(InProcess.run("history", runs.toString(), "--figure", P99).out())
                .containsPattern(Said.en("report.history.ofHost"))
                .contains("+2");
    }

    @Test
    void differentHostIsNoRegression() throws IOException {
        write(RUNS, (i, result) -> {
            if (i >= RUNS - 6) {
                p99(result, 90_000 * noise());
                ((ObjectNode) result.path("environment").path("host").path("cpu")).put("model", "Slower One");
            }
        });
        assertThat(check().exit()).isZero();
        assertThat(InProcess.run("history", runs.toString(), "--figure", P99).out())
                .containsPattern(Said.en("report.history.ofHost"))
                .contains("AMD EPYC → Slower One");
    }

    @Test
    void updatesIndexAndRebuildsItIfMissing() throws IOException {
        write(5, (i, result) -> {});
        assertThat(InProcess.run("history", runs.toString()).out())
                .containsSubsequence("run-0004", "run-0000", "5 of 5 runs");
        Files.delete(runs.resolve("run-0002").resolve(RunDirectory.RESULT));
        write(1, (i, result) -> result.put("name", "other"));
        assertThat(InProcess.run("history", runs.toString()).out())
                .contains("other", "4 of 4 runs")
                .doesNotContain("run-0002");
        Files.delete(runs.resolve(RunHistory.INDEX));
        assertThat(InProcess.run("history", runs.toString(), "--scenario", "other")
                        .out())
                .contains("1 of 1 run");
        Files.writeString(runs.resolve(RunHistory.INDEX), "no database");
        InProcess broken = InProcess.run("history", runs.toString());
        assertThat(broken.err()).contains("--rebuild");
        assertThat(broken.exit()).isEqualTo(2);
        assertThat(InProcess.run("history", runs.toString(), "--rebuild").out()).contains("4 of 4 runs");
    }

    @Test
    void onlyOwnerCanReadIndex() throws IOException {
        write(1, (i, result) -> {});
        InProcess.run("history", runs.toString());
        Path index = runs.resolve(RunHistory.INDEX);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(index)))
                .isEqualTo(PrivateFiles.FILE);
    }

    @Test
    void directoryNameDoesNotInjectIndexOptions() throws IOException {
        runs = Files.createDirectories(runs.resolve("a b?mode=memory&c=%41"));
        write(2, (i, result) -> {});
        assertThat(InProcess.run("history", runs.toString()).out()).contains("2 of 2 runs");
        assertThat(runs.resolve(RunHistory.INDEX)).isNotEmptyFile();
    }

    /** An invalid or unreadable result does not affect the rest. */
    @Test
    void skipsInvalidAndUnreadableResults() throws IOException {
        write(3, (i, result) -> {});
        Files.writeString(runs.resolve("run-0000").resolve(RunDirectory.RESULT), "null");
        String nameless = "{\"schema\":\"plimsoll.result/1\",\"name\":\"x\",\"trials\":[{}]}";
        Files.writeString(runs.resolve("run-0001").resolve(RunDirectory.RESULT), nameless);
        // A file that can be opened but not read, even by root.
        Path unreadable = Files.createDirectories(runs.resolve("unreadable")).resolve(RunDirectory.RESULT);
        Files.createSymbolicLink(unreadable, Path.of("/proc/self/mem"));
        InProcess listed = InProcess.run("history", runs.toString());
        assertThat(listed.err()).isEmpty();
        assertThat(listed.out()).contains("run-0002", "1 of 1 run");
        Files.delete(unreadable);
        Files.copy(runs.resolve("run-0002").resolve(RunDirectory.RESULT), unreadable);
        assertThat(InProcess.run("history", runs.toString()).out()).contains("unreadable", "2 of 2 runs");
    }

    @Test
    void countsRunInTwoDirectoriesOnce() throws IOException {
        Path copies = Files.createDirectories(runs.resolve("kept"));
        Path all = Files.createDirectories(runs.resolve("all"));
        runs = all;
        write(4, (i, result) -> {});
        Path copy = Files.createDirectories(copies.resolve("run-0002")).resolve(RunDirectory.RESULT);
        Files.copy(all.resolve("run-0002").resolve(RunDirectory.RESULT), copy);
        InProcess listed = InProcess.run("history", copies.toString(), all.toString());
        assertThat(listed.out()).contains("4 of 4 runs").containsOnlyOnce("run-0002");
        String[] twice = {"history", all.toString(), all.toString(), "--figure", P99, "--trial", "latency"};
        assertThat(InProcess.run(twice).out()).contains(P99 + ", 4 runs");
    }

    @Test
    void longNameLeavesRoomForTheTime() throws IOException {
        write(1, (i, result) -> result.put("name", "x".repeat(150)));
        assertThat(InProcess.run("history", runs.toString()).out().lines())
                .allMatch(line -> line.length() <= 100)
                .anyMatch(line -> line.startsWith("  2026-01-01 06:00   xxx"));
    }

    @Test
    void reportsTooFewRuns() throws IOException {
        write(6, (i, result) -> {});
        InProcess shortSeries = check();
        assertThat(shortSeries.out())
                .startsWith("? ")
                .contains("Too few runs", "6 of 24")
                .doesNotContain("✓");
        assertThat(shortSeries.exit()).isEqualTo(5);
        InProcess allowed = check("--allow-short");
        assertThat(allowed.out()).isEqualTo(shortSeries.out());
        assertThat(allowed.exit()).isZero();
        assertThat(InProcess.run("history", "check", runs.toString(), "--figure", "produce.respones.p99")
                        .err())
                .contains("produce.response.p99");
        InProcess none = InProcess.run("history", runs.toString(), "--last", "-1");
        assertThat(none.exit()).isEqualTo(2);
        assertThat(none.err()).contains("--last: expected 1 or more, found '-1'");
        assertThat(InProcess.run("history", runs.resolve("none").toString()).exit())
                .isEqualTo(2);
    }

    @Test
    void exportsMachineReadableFormats() throws IOException {
        write(3, (i, result) -> {});
        for (String format : List.of("csv", "html", "benchmark-bigger")) {
            InProcess without = InProcess.run("history", runs.toString(), "--format", format);
            assertThat(without.exit()).as(format).isEqualTo(2);
            assertThat(without.err()).contains("--figure");
        }
        String[] csv = InProcess.run("history", runs.toString(), "--figure", P99, "--format", "csv")
                .out()
                .split("\n");
        assertThat(csv).hasSize(4);
        assertThat(csv[0]).isEqualTo("time,run,scenario,quick/latency/" + P99 + ",quick/throughput/" + P99);
        assertThat(csv[1]).startsWith("2026-01-01T06:00:00Z,run-0000,quick,5");
        JsonNode newest = Json.MAPPER.readTree(
                InProcess.run("history", runs.toString(), "--figure", P99, "--format", "benchmark-smaller")
                        .out());
        assertThat(newest).hasSize(2);
        assertThat(newest.get(0).path("unit").asText()).isEqualTo("us");
        assertThat(newest.get(0).path("value").asDouble()).isBetween(54_000.0, 58_000.0);
        JsonNode all = Json.MAPPER.readTree(
                InProcess.run("history", runs.toString(), "--format", "json").out());
        assertThat(all.path("schema").asText()).isEqualTo("plimsoll.history/1");
        assertThat(all.path("runs")).hasSize(3);
        InProcess nothing = InProcess.run("history", runs.toString(), "--format", "csv");
        assertThat(nothing.err()).contains("--figure is missing");
        assertThat(nothing.exit()).isEqualTo(2);
        InProcess none = InProcess.run("history", runs.toString(), "--last", "-1");
        assertThat(none.err()).contains("--last: expected 1 or more, found '-1'");
        assertThat(none.exit()).isEqualTo(2);
    }

    @Test
    void pageContainsBothLanguages() throws IOException {
        write(3, (i, result) -> {});
        assertThat(InProcess.run("history", runs.toString(), "--figure", P99, "--format", "html")
                        .out())
                .contains("latency: " + P99 + ", 3 runs\",\"zh\":\"")
                .contains("latency：" + P99 + "，3 次运行");
    }

    /** Figures of the previous run would be attributed to the present commit. */
    @Test
    void publishesOnlyFiguresOfNewestRun() throws IOException {
        write(3, (i, result) -> {
            if (i == 2) {
                trial(result).put("valid", false);
            }
        });
        assertThat(InProcess.run("history", runs.toString(), "--figure", P99, "--format", "benchmark-smaller")
                        .out())
                .contains("quick/throughput")
                .doesNotContain("quick/latency");
    }
}
