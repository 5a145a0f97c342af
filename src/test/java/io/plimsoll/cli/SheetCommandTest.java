package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Sheet;
import io.plimsoll.report.compare.Sheet.Cell;
import io.plimsoll.testing.ProxiedLab;
import io.plimsoll.testing.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code plimsoll sheet} finds a planted delay on its side, continues where it ended, and refuses sides that it cannot compare. */
class SheetCommandTest {
    private static final Duration DELAY = Duration.ofMillis(300);

    @TempDir
    Path directory;

    private Path made() throws IOException {
        try (Stream<Path> made = Files.list(directory.resolve("runs"))) {
            return made.findFirst().orElseThrow();
        }
    }

    @Test
    void aDelayIsFoundOnItsSide() throws Exception {
        Path scenario = Files.writeString(directory.resolve("small.yaml"), """
                topics: [{name: sheet-small, partitions: 1}]
                producers: [{topic: sheet-small, rate: 300/s, record: {size: 100}}]
                warmup: 1s
                duration: 2s
                trials:
                  - {name: load, set: {compare: [produce.throughput, produce.response.min]}}
                  - {name: lost leader, set: {faults: [{at: 1s, kill: any, restartAfter: 1s}]}}
                """);
        try (ProxiedLab<TcpProxy> late = new ProxiedLab<>(new TcpProxy(), Map.of())) {
            late.proxy().delayResponses(DELAY.toNanos());
            InProcess first = InProcess.run(
                    "sheet",
                    scenario.toString(),
                    "--cluster=prompt=" + SharedLab.oneBroker().bootstrapServers(),
                    "--cluster=late=" + late.bootstrapServers(),
                    "--rounds=2",
                    "--quiet",
                    "--yes",
                    "--out=" + directory.resolve("runs"));
            assertThat(first.exit()).as(first.err()).isEqualTo(Exit.PASSED.code());
            assertThat(Sheet.read(made()).rounds()).isEqualTo(2);
            InProcess more = InProcess.run("sheet", "--resume=" + made(), "--rounds=2", "--quiet", "--yes");
            assertThat(more.exit()).as(more.err()).isEqualTo(Exit.PASSED.code());
        }
        Sheet sheet = Sheet.read(made());
        assertThat(sheet.rounds()).isEqualTo(3);
        assertThat(sheet.runs()).hasSize(6);
        // The trial with a fault needs a lab.
        assertThat(sheet.rows()).extracting(Sheet.Row::trial).containsOnly("load");
        assertThat(cell(sheet, "produce.throughput").value()).isPositive();
        Cell response = cell(sheet, "produce.response.min");
        assertThat(response.outcome()).isEqualTo(Outcome.WORSE);
        assertThat(response.value()).isGreaterThanOrEqualTo(DELAY.toNanos() / 1e3);
        assertThat(made().resolve("sheet.md")).content().contains("late ÷ prompt");
        assertThat(made().resolve("sheet.html")).content().contains("produce.response.min");
    }

    private static Cell cell(Sheet sheet, String figure) {
        return sheet.rows().stream()
                .filter(row -> row.figure().equals(figure))
                .findFirst()
                .orElseThrow()
                .cells()
                .get(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--kafka=4.3.1", "--kafka=4.3.1,4.3.1", "--kafka=4.3.1 --resume=.", "--resume=."})
    void incomparableSidesAreRefused(String options) {
        InProcess refused = InProcess.run(("sheet " + options).split(" "));
        assertThat(refused.exit()).as(refused.err()).isEqualTo(Exit.USAGE.code());
        assertThat(refused.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"4.0.0, 4.0.0, true", "4.10.1, 4.9.0, true", "3.9.1, 4.0.0, false"})
    void releasesAreComparedByNumber(String release, String first, boolean since) {
        assertThat(SheetCommand.isSince(release, first)).isEqualTo(since);
    }
}
