package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.Exit;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.CalibrationSchema;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.Json;
import io.plimsoll.testing.Said;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calibrations are stored in the directory that the build sets for tests. */
class CalibrateCommandTest {
    @Test
    @Tag("nightly")
    void measuresEveryEngineAndSide() throws IOException {
        InProcess json = InProcess.run("calibrate", "--record", "200", "--seconds", "1", "--json");
        assertThat(json.err()).isEmpty();
        assertThat(json.exit()).isEqualTo(Exit.PASSED.code());
        CalibrationSchema.assertValid(json.out());
        Calibrations found = Json.MAPPER.readValue(json.out(), Calibrations.class);
        assertThat(found.calibrations())
                .extracting(c -> c.subject().engine() + " " + c.subject().side() + " "
                        + c.subject().recordBytes())
                .containsExactlyInAnyOrder(
                        "raw produce 200", "raw consume 200", "client produce 200", "client consume 200");
        for (Calibration c : found.calibrations()) {
            Calibration.Breakdown parts = c.breakdown();
            assertThat(parts.systemCalls() + parts.copy() + parts.crc() + parts.code())
                    .isCloseTo(c.cost().cpuMicrosPerRecord(), within(1e-9));
            assertThat(c.rates().recordsPerSecondPerCore() * c.cost().cpuMicrosPerRecord())
                    .isCloseTo(1e6, within(1.0));
            // The null broker's CPU is not part of any generator figure, and both fit into this machine.
            double brokerCores =
                    c.cost().nullBrokerCpuMicrosPerRecord() * c.rates().recordsPerSecond() / 1e6;
            assertThat(brokerCores).isPositive();
            assertThat(c.cost().generatorCores() + brokerCores)
                    .isLessThan(Runtime.getRuntime().availableProcessors() * 1.05);
        }
    }

    @Test
    void tableNamesTheLimitingFactor() throws IOException {
        InProcess text = InProcess.run("calibrate", "--engine", "raw", "--record", "100", "--seconds", "1");
        assertThat(text.exit()).as(text.err()).isEqualTo(Exit.PASSED.code());
        assertThat(text.out())
                .contains("records/s", "limited by", "system calls", "CRC")
                .containsPattern(Said.en("cli.kept"));
        assertThat(text.err()).contains("calibrating raw produce").doesNotContain("client");
        // A fleet is planned with it.
        InProcess plan =
                InProcess.run("fleet", "plan", "--rate", "100/s", "--record-size", "100", "--engine", "raw", "--json");
        assertThat(plan.exit()).as(plan.err()).isEqualTo(Exit.PASSED.code());
        assertThat(Json.MAPPER.readTree(plan.out()).get("agents").asInt()).isEqualTo(1);
        InProcess unknown = InProcess.run("fleet", "plan", "--rate", "100MB/s", "--record-size", "54321");
        assertThat(unknown.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(unknown.err()).contains("plimsoll calibrate --side produce --engine client --record 54321");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--record 15 | «run.outOfRange¦…¦16¦1000000¦15»",
                "--record 100,x | «cli.expected¦--record¦«scenario.a.whole»¦x»",
                "--seconds 0 | «run.outOfRange¦…¦1¦60¦0»",
                "--batch 1 | «run.outOfRange¦…¦1024¦…¦1»",
                "--engine both,raw | --engine",
                "--side x | --side: expected produce, consume or both, found 'x'",
            })
    void refusesInvalidOptions(String arguments, String message) {
        InProcess run = InProcess.run(("calibrate " + arguments).split(" "));
        assertThat(run.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(run.err()).containsPattern(Said.pattern(message));
    }
}
