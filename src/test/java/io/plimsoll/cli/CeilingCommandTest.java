package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ceiling command accepts its options and rejects impossible ones. */
class CeilingCommandTest {
    @TempDir
    Path scratch;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--by size | --by: expected records or bytes, found 'size'",
                "--slo p98<50ms | --slo: unknown figure",
                "--slo p99<50 | --slo: the limit for produce.response.p99 must be a duration",
                "--by records --max-rate 5MB/s | --max-rate: expected records per second",
                "--min-rate 1MB/s --max-rate 5000/s | --max-rate: expected bytes per second",
                "--by bytes --max-rate 5000/s | --max-rate: expected bytes per second",
                "--min-rate foo | --min-rate: expected",
                "--min-rate 10/s --max-rate 5/s | --max-rate: expected at least --min-rate",
                "--max-duration 5 | --max-duration: «scenario.durationUnit¦5»",
                "--width 0% | --width: expected 0.5% to 40%",
                "--trial-length 1s | --trial-length: expected 2s or more",
                "--confirm 5s | «cli.a.noneOrAtLeast¦--trial-length»",
                "--without-broker two | «cli.a.brokerOrAny»",
                "--without-broker 1 --without-zone a | «cli.either¦--without-broker¦--without-zone»",
                "--without-disk x | «cli.a.brokerOrAny»",
                "--without-disk 1 --exec x --allow-exec | «cli.either¦--exec¦--without-disk»",
                "--without-broker 1 --exec x | «cli.needs¦--exec¦--allow-exec»",
                "--exec x --allow-exec | «cli.needs¦--exec¦--without-broker»",
                "--without-broker 1 --undo x | «cli.needs¦--undo¦--exec»",
                "--curve 21 | --curve: expected a number from 0 to 20",
                "--matrix producers.config.acks=1 | expected a list of values"
            })
    void reportsInvalidOptionsBeforeRunning(String arguments, String message) {
        List<String> words = new ArrayList<>(List.of("ceiling", "--out", scratch.toString()));
        words.addAll(List.of(arguments.split(" ")));
        InProcess result = InProcess.run(words.toArray(String[]::new));
        assertThat(result.err()).containsPattern(Said.pattern(message));
        assertThat(result.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(scratch).isEmptyDirectory();
    }

    /** Without {@code --confirm}, the confirmation takes no less time than a trial. */
    @Test
    void acceptsTrialsLongerThanDefaultConfirmation() {
        InProcess result = InProcess.run("ceiling", "--max-rate", "5000/s", "--trial-length", "30s", "--dry-run");
        assertThat(result.exit()).as(result.err()).isZero();
    }

    /** A load can more than double in a year. */
    @ParameterizedTest
    @CsvSource({"150%/year, 0", "2000%/year, 2", "-5%, 2"})
    void checksGrowth(String growth, int exit) {
        InProcess result = InProcess.run("capacity", "--target", "10MB/s", "--growth=" + growth, "--dry-run");
        assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    }

    /** By default, the lab has at least three brokers, and enough for the replicas of its topics. */
    @ParameterizedTest
    @CsvSource({"'', 2, 3", "'', 4, 4", "'lab: {brokers: 5}', 2, 5", "'lab: {brokers: 2}', 2, 2"})
    void labOfCapacityHasBrokersOfScenario(String lab, int copies, int brokers) throws IOException {
        Path scenario = Files.writeString(
                scratch.resolve("s.yaml"),
                "name: s\ntopics: [{name: t, replication: " + copies + "}]\nproducers: [{topic: t}]\n" + lab);
        InProcess result = InProcess.run("capacity", scenario.toString(), "--target", "10MB/s", "--dry-run");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).containsPattern(Said.en("lab.told.brokers", brokers, null));
    }

    /** The plan is written next to the result from which it is made. */
    @Test
    void plansCapacityFromResultFileOfRun() throws IOException {
        Path run = scratch.resolve("run");
        RecordedRuns.open("search", run).close();
        Path result = Files.writeString(run.resolve(RunDirectory.RESULT), "{}");
        InProcess planned = InProcess.run("capacity", "--target", "1MB/s", "--of", result.toString());
        assertThat(run.resolve("capacity.html")).as(planned.err()).exists();
    }

    /** The documented {@code --max-rate 200MB/s} needs no {@code --by bytes}. */
    @Test
    void searchesInBytesIfMaxRateIsInBytes() {
        InProcess result = InProcess.run("ceiling", "--max-rate", "5MB/s", "--dry-run");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).contains("5 MB/s");
    }

    /** As promised by --help: a figure of the response time, endToEnd, lag, or any figure of checks. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "p99.9<50ms",
                "max<1s",
                "endToEnd.p99<100ms",
                "lag<10s",
                "reply.latency.p99<500ms",
                "broker.handlerIdle>20%",
                "audit.lost==0"
            })
    void acceptsAnyCheckAsSlo(String check) {
        InProcess result = InProcess.run(
                "ceiling",
                "--no-calibrate",
                "--out",
                scratch.toString(),
                "--bootstrap-server",
                "127.0.0.1:1",
                "--slo",
                check);
        assertThat(result.err()).contains("no process listens").doesNotContain("unknown figure");
        assertThat(result.exit()).isEqualTo(Exit.CLUSTER.code());
    }

    /** A search of sixty seconds; the test observes the first six. */
    @Test
    @Tag("nightly")
    void calibratesGeneratorFirstUnlessKnownDisabledOrTooShort() throws IOException {
        // With batch sizes that neither another test nor an earlier run of this one uses, because all share the stored
        // calibrations.
        long batch = 20_000 + System.currentTimeMillis() / 1000 % 1_000_000;
        Path file = Files.writeString(scratch.resolve("first.yaml"), """
            topics: [{name: first, partitions: 1}]
            producers: [{topic: first, record: {size: 100}, config: {batch.size: %d}}]
            warmup: 0s
            audit: false
            """.formatted(batch));
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions())) {
            String calibrating = "calibrating client produce, records of 100 B";
            assertThat(search(file, broker, "--max-duration=59s")).doesNotContain(calibrating);
            assertThat(search(file, broker, "--no-calibrate")).doesNotContain(calibrating);
            String first = search(file, broker, "--max-duration=2m");
            assertThat(first).contains(calibrating);
            Assumptions.assumeFalse(first.contains("other programs used"), first);
            assertThat(search(file, broker, "--max-duration=2m")).doesNotContain(calibrating);
        }
    }

    /** @return its messages during the run */
    private String search(Path file, NullBroker broker, String option) {
        InProcess result = InProcess.run(
                "ceiling",
                file.toString(),
                "--bootstrap-server",
                broker.bootstrapServers(),
                "--max-rate=200/s",
                "--trial-length=2s",
                "--confirm=0",
                "--curve=0",
                option,
                "--out",
                scratch.resolve("runs").toString());
        assertThat(result.exit()).as(result.err()).isZero();
        return result.err();
    }

    /** A search without trials has no result, for one setting or several. */
    @ParameterizedTest
    @ValueSource(strings = {"acks=[1]", "acks=[1, all]"})
    void reportsNoCeilingWithoutTimeForATrial(String settings) throws IOException {
        Path file = Files.writeString(scratch.resolve("short.yaml"), """
            topics: [{name: short, partitions: 1}]
            producers: [{topic: short, record: {size: 100}}]
            """);
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions())) {
            InProcess result = InProcess.run(
                    "ceiling",
                    file.toString(),
                    "--bootstrap-server",
                    broker.bootstrapServers(),
                    "--matrix",
                    "producers.config." + settings,
                    "--max-duration=1s",
                    "--out",
                    scratch.resolve("runs").toString());
            assertThat(result.out() + result.err())
                    .containsPattern(
                            Said.en(settings.contains("all") ? "result.noneAnswered" : "result.endedBeforeAny"));
            assertThat(result.exit()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
        }
    }

    @Test
    void refusesScenarioWithoutProducers() throws IOException {
        Path file = Files.writeString(
                scratch.resolve("read.yaml"), "topics: [{name: t}]\nconsumers: [{topic: t, records: 10}]\n");
        InProcess result = InProcess.run(
                "ceiling", file.toString(), "--out", scratch.resolve("runs").toString());
        assertThat(result.err()).contains("has no producers");
        assertThat(result.exit()).isEqualTo(Exit.USAGE.code());
    }
}
