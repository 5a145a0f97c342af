package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.report.compare.Sheet;
import io.plimsoll.result.Json;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code plimsoll sheet} measures all sides in turn, continues where it ended, and refuses sides that it cannot compare. */
class SheetCommandTest {
    @TempDir
    Path directory;

    private Path made() throws IOException {
        try (Stream<Path> made = Files.list(directory.resolve("runs"))) {
            return made.findFirst().orElseThrow();
        }
    }

    @Test
    void measuresSidesInTurnAndResumes() throws Exception {
        Path scenario = Files.writeString(directory.resolve("small.yaml"), """
                topics: [{name: sheet-small, partitions: 1}]
                producers: [{topic: sheet-small, records: 100, record: {size: 100}}]
                trials:
                  - {name: load, set: {compare: [produce.response.min]}}
                  - {name: left out, set: {compare: [produce.response.min]}}
                  - {name: lost leader, set: {duration: 2s, faults: [{at: 1s, kill: any, restartAfter: 1s}]}}
                """);
        String servers = SharedLab.oneBroker().bootstrapServers();
        InProcess first = InProcess.run(
                "sheet",
                scenario.toString(),
                "--cluster=one=" + servers,
                "--cluster=two=" + servers,
                "--only=load,lost leader",
                "--rounds=1",
                "--quiet",
                "--yes",
                "--out=" + directory.resolve("runs"));
        assertThat(first.exit()).as(first.err()).isEqualTo(Exit.PASSED.code());
        InProcess more = InProcess.run("sheet", "--resume=" + made(), "--rounds=2", "--quiet", "--yes");
        assertThat(more.exit()).as(more.err()).isEqualTo(Exit.PASSED.code());
        Sheet sheet = Sheet.read(made());
        // The order is reversed from round to round.
        assertThat(sheet.runs())
                .extracting(run -> run.round() + " " + run.side())
                .containsExactly("0 one", "0 two", "1 two", "1 one");
        // The trial with a fault needs a lab.
        assertThat(sheet.rows()).extracting(Sheet.Row::trial).containsExactly("load");
        assertThat(made().resolve("sheet.md")).content().contains("two ÷ one");
        assertThat(made().resolve("sheet.html")).content().contains("produce.response.min");
        InProcess again = InProcess.run("sheet", "--resume=" + made(), "--rounds=0", "--json");
        assertThat(Json.MAPPER.readTree(again.out()).at("/rows/0/cells")).hasSize(2);
        // A round that would exceed the budget does not start.
        Files.writeString(scenario, Files.readString(scenario).replace("records: 100", "rate: 10/s, duration: 20s"));
        InProcess brief = InProcess.run("sheet", "--resume=" + made(), "--budget=10s", "--quiet", "--yes");
        assertThat(brief.exit()).as(brief.err()).isEqualTo(Exit.PASSED.code());
        assertThat(Sheet.read(made()).runs()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--kafka=4.3.1",
                "--kafka=4.3.1,4.3.1",
                "--kafka=4.2.0,4.3.1 --only=none",
                "--kafka=4.3.1 --resume=.",
                "--resume=."
            })
    void refusesIncomparableSides(String options) {
        InProcess refused = InProcess.run(("sheet " + options).split(" "));
        assertThat(refused.exit()).as(refused.err()).isEqualTo(Exit.USAGE.code());
        assertThat(refused.out()).isEmpty();
    }

    /** A sheet sets the target of all faults, so it refuses upgrades beside other faults or in a trial at once. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "faults: [{at: 1s, upgrade: each, to: 4.3.1}, {at: 2s, kill: any, restartAfter: 1s}]",
                "trials: [{name: t, set: {faults: [{at: 1s, upgrade: each, to: 4.3.1}]}}]"
            })
    void refusesUpgradesThatItCannotRetarget(String faults) throws IOException {
        Path scenario = Files.writeString(directory.resolve("own.yaml"), """
                topics: [{name: own}]
                producers: [{topic: own, rate: 10/s}]
                duration: 60s
                lab: {kafkaVersion: 4.2.0}
                """ + faults + "\n");
        Path out = directory.resolve("runs");
        InProcess refused = InProcess.run("sheet", scenario.toString(), "--kafka=4.2.0,4.3.1", "--out=" + out);
        assertThat(refused.exit()).as(refused.err()).isEqualTo(Exit.USAGE.code());
        assertThat(refused.err()).containsPattern(Said.en("cli.sheet.upgrades", scenario));
        assertThat(out).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"4.0.0, 4.0.0, true", "4.10.1, 4.9.0, true", "3.9.1, 4.0.0, false"})
    void comparesReleasesNumerically(String release, String first, boolean since) {
        assertThat(LabOptions.isSince(release, first)).isEqualTo(since);
    }
}
