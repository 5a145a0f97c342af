package io.plimsoll.report.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Sheet.Cell;
import io.plimsoll.report.compare.Sheet.Done;
import io.plimsoll.report.compare.Sheet.Side;
import io.plimsoll.result.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The findings of a release sheet, on copies of a recorded run with planted figures. */
class SheetTest {
    private static final List<Side> SIDES =
            List.of(new Side("1.0", "1.0", null), new Side("1.1", "1.1", null), new Side("1.2", "1.2", null));
    /** Noise of the host by round, the same for all sides. */
    private static final double[] ROUNDS = {1, 1.3, 0.8};
    /** Noise by side and round. */
    private static final double[][] NOISE = {{1, 1.02, 0.99}, {1.01, 0.98, 1}, {0.99, 1, 1.02}};

    @TempDir
    Path directory;

    private ObjectNode recorded;
    private String trial;

    @BeforeEach
    void aRecordedRun() throws IOException {
        try (GZIPInputStream in =
                new GZIPInputStream(SheetTest.class.getResourceAsStream("/runs/quick.result.json.gz"))) {
            recorded = (ObjectNode) Json.MAPPER.readTree(in);
        }
        trial = recorded.at("/trials/0/name").asText();
    }

    /** A run in which all rates are multiplied, and all response times divided. */
    private Done run(int round, int side, double faster) throws IOException {
        return run(round, side, faster, "{compare: [produce.throughput, produce.response.p50]}");
    }

    private Done run(int round, int side, double faster, String set) throws IOException {
        ObjectNode result = recorded.deepCopy();
        ObjectNode produce = (ObjectNode) result.at("/trials/0/produce");
        produce.put("bytesPerSecond", produce.get("bytesPerSecond").asDouble() * faster);
        ObjectNode times = (ObjectNode) produce.get("responseTime");
        times.put("p50", Math.round(times.get("p50").asDouble() * 1000 / faster));
        Path run = Files.createDirectories(directory.resolve("runs").resolve(round + "-" + side));
        Files.writeString(run.resolve("result.json"), result.toString());
        Files.writeString(run.resolve("scenario.yaml"), """
                name: cells
                about: Some cells.
                topics: [{name: t}]
                producers: [{topic: t, rate: 10/s}]
                trials:
                  - {name: '%s', set: %s}
                """.formatted(trial, set));
        return new Done(
                round,
                "cells",
                SIDES.get(side).name(),
                directory.relativize(run).toString());
    }

    private Sheet sheet(int rounds, double... faster) throws IOException {
        Sheet sheet = new Sheet(SIDES, List.of("cells"), List.of(), 1);
        for (int round = 0; round < rounds; round++) {
            for (int side = 0; side < faster.length; side++) {
                sheet = sheet.with(run(round, side, faster[side] * ROUNDS[round] * NOISE[side][round]));
            }
        }
        return sheet.judged(directory);
    }

    private static List<Cell> cells(Sheet sheet, String figure) {
        return sheet.rows().stream()
                .filter(row -> row.figure().equals(figure))
                .findFirst()
                .orElseThrow()
                .cells();
    }

    @Test
    void outcomeFollowsDirectionOfFigure() throws Exception {
        Sheet sheet = sheet(3, 1, 1.3, 0.9);
        assertThat(cells(sheet, "produce.throughput"))
                .extracting(Cell::outcome)
                .containsExactly(Outcome.UNKNOWN, Outcome.BETTER, Outcome.WORSE);
        assertThat(cells(sheet, "produce.response.p50"))
                .extracting(Cell::outcome)
                .containsExactly(Outcome.UNKNOWN, Outcome.BETTER, Outcome.WORSE);
        assertThat(cells(sheet, "produce.throughput").get(1).change().ratio()).isCloseTo(1.3, within(0.03));
        assertThat(cells(sheet, "produce.response.p50").get(2).change().ratio()).isCloseTo(1.3 / 0.9, within(0.04));
    }

    /** More memory is worse, but more records of a trial with a schedule are neither better nor worse. */
    @Test
    void judgesOnlyFiguresWithDirection() throws Exception {
        Sheet sheet = new Sheet(SIDES, List.of("cells"), List.of(), 1);
        for (int round = 0; round < 3; round++) {
            for (int side = 0; side < 2; side++) {
                Done done = run(round, side, 1, "{compare: [produce.records, broker.memory]}");
                Path file = directory.resolve(done.path()).resolve("result.json");
                ObjectNode result = (ObjectNode) Json.MAPPER.readTree(file.toFile());
                double more = (1 + side) * NOISE[side][round];
                ((ObjectNode) result.at("/trials/0/produce")).put("records", Math.round(75_000 * more));
                ((ObjectNode) result.at("/trials/0/brokers/0")).put("memoryBytes", Math.round(1e9 * more));
                Files.writeString(file, result.toString());
                sheet = sheet.with(done);
            }
        }
        Sheet judged = sheet.judged(directory);
        assertThat(cells(judged, "broker.memory").get(1).outcome()).isEqualTo(Outcome.WORSE);
        Cell records = cells(judged, "produce.records").get(1);
        assertThat(records.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(records.change().ratio()).isCloseTo(2, within(0.1));
    }

    @Test
    void equalSidesDoNotDiffer() throws Exception {
        Sheet sheet = sheet(3, 1, 1, 1);
        assertThat(cells(sheet, "produce.throughput").subList(1, 3))
                .extracting(Cell::outcome)
                .containsOnly(Outcome.NO_DIFFERENCE);
        assertThat(cells(sheet, "produce.throughput").get(1).detectable()).isBetween(0.01, 0.15);
    }

    /** A side that was measured more often than the next one would have a mean that does not belong to their ratio. */
    @Test
    void excludesInterruptedRound() throws Exception {
        Sheet whole = sheet(2, 1, 1.3, 0.9);
        Sheet interrupted = whole.with(run(2, 0, 50)).with(run(2, 1, 60)).judged(directory);
        assertThat(interrupted.rounds()).isEqualTo(3);
        assertThat(interrupted.rows()).isEqualTo(whole.rows());
        Sheet resumed = interrupted.with(run(2, 2, 70)).judged(directory);
        assertThat(cells(resumed, "produce.throughput"))
                .extracting(Cell::rounds)
                .containsOnly(3);
    }

    /** Rates of a schedule hardly vary, so that even meaningless differences are significant. */
    @Test
    void ignoresSignificantDifferencesBelowResolution() throws Exception {
        Sheet sheet = new Sheet(SIDES, List.of("cells"), List.of(), 1);
        double[] faster = {1, 1.0002, 1.0002};
        for (int round = 0; round < 4; round++) {
            for (int side = 0; side < faster.length; side++) {
                sheet = sheet.with(run(round, side, faster[side] * (1 + round * 1e-7)));
            }
        }
        assertThat(cells(sheet.judged(directory), "produce.throughput").get(1).outcome())
                .isEqualTo(Outcome.NO_DIFFERENCE);
    }

    /** One round has no noise to compare with; a side without the trial is not compared. */
    @Test
    void decidesNothingWithoutRoundsOrFigures() throws Exception {
        assertThat(cells(sheet(1, 1, 2, 3), "produce.throughput"))
                .allMatch(cell -> cell.p() == null && cell.outcome() == Outcome.UNKNOWN && cell.value() > 0);
        List<Cell> missing = cells(sheet(3, 1, 2), "produce.throughput");
        assertThat(missing.get(1).outcome()).isEqualTo(Outcome.BETTER);
        assertThat(missing.get(2).value()).isNull();
        assertThat(missing.get(2).p()).isNull();
    }

    /** A trial that the load generator limited does not describe the brokers. */
    @Test
    void excludesInvalidMeasurements() throws Exception {
        Sheet sheet = sheet(3, 1, 1.3, 0.9);
        Path one = directory.resolve("runs/0-1/result.json");
        ObjectNode result = (ObjectNode) Json.MAPPER.readTree(one.toFile());
        ((ObjectNode) result.at("/trials/0")).put("complete", false);
        Files.writeString(one, result.toString());
        Cell cell = cells(sheet.judged(directory), "produce.throughput").get(1);
        assertThat(cell.rounds()).isEqualTo(2);
        assertThat(cell.invalid()).isEqualTo(1);
    }

    /** The column compares with the side before it, and not with an earlier one. */
    @Test
    void doesNotCompareAcrossMissingSide() throws Exception {
        Sheet sheet = new Sheet(SIDES, List.of("cells"), List.of(), 1);
        for (int round = 0; round < 3; round++) {
            sheet = sheet.with(run(round, 0, ROUNDS[round])).with(run(round, 2, 2 * ROUNDS[round]));
        }
        assertThat(cells(sheet.judged(directory), "produce.throughput"))
                .extracting(Cell::p)
                .containsExactly(null, null, null);
    }

    @Test
    void comparesUsualFiguresByDefault() throws Exception {
        Sheet sheet = new Sheet(SIDES, List.of("cells"), List.of(), 1)
                .with(run(0, 0, 1, "{}"))
                .judged(directory);
        assertThat(sheet.rows()).extracting(Sheet.Row::figure).contains("produce.throughput", "produce.response.p99");
    }
}
