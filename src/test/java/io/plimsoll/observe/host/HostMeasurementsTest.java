package io.plimsoll.observe.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.observe.host.HostMeasurements.Settings;
import io.plimsoll.observe.host.Measurement.CallTimes;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measurements keep their time limit and leave no file. */
class HostMeasurementsTest {
    private static final OptionalLong SMALLEST = OptionalLong.of(HostMeasurements.MIN_FILE_BYTES);

    private static Settings settings(Path directory) {
        return new Settings(directory, SMALLEST, Duration.ofMillis(20));
    }

    @Test
    void measuresEachLimitAndLeavesNoFile(@TempDir Path directory) throws IOException {
        Path other = Files.writeString(directory.resolve("other"), "untouched");
        List<Measurement> told = new ArrayList<>();
        List<Path> seen = new ArrayList<>();
        List<Measurement> measurements = HostMeasurements.run(settings(directory), measurement -> {
            told.add(measurement);
            seen.addAll(list(directory));
        });
        assertThat(measurements).isEqualTo(told);
        assertThat(measurements.stream().map(Measurement::name))
                .containsExactly(
                        "disk.fsync.p50",
                        "disk.fsync.p99",
                        "disk.fsync.max",
                        "disk.write.direct",
                        "disk.read.direct",
                        "disk.write.fsync",
                        "disk.read.cached",
                        "disk.write.cached",
                        "loopback.stream.64k",
                        "loopback.stream.1m",
                        "loopback.roundTrip.p50",
                        "loopback.roundTrip.p99",
                        "loopback.roundTrip.max",
                        "cpu.crc32c",
                        "cpu.lz4.compress",
                        "cpu.zstd.compress",
                        "memory.copy");
        assertThat(measurements).allSatisfy(HostMeasurementsTest::assertMeasured);
        assertThat(seen).containsOnly(other);
        assertThat(list(directory)).containsExactly(other);
        assertThat(other).hasContent("untouched");
    }

    /** As on a saturated host, where one call takes all of the time. */
    @Test
    void measuresEachLimitAtLeastOnce(@TempDir Path directory) throws IOException {
        List<Measurement> measurements =
                HostMeasurements.run(new Settings(directory, SMALLEST, Duration.ZERO), m -> {});
        assertThat(measurements).hasSize(17).allSatisfy(HostMeasurementsTest::assertMeasured);
    }

    /** Direct I/O and a p99 may be unavailable on the test machine; the result must then say so. */
    private static void assertMeasured(Measurement measurement) {
        String name = measurement.name();
        assertThat(measurement.how().english()).isNotBlank();
        boolean latency = name.contains("fsync.") || name.contains("roundTrip");
        assertThat(measurement.unit()).isEqualTo(latency ? "us" : "MB/s");
        if (measurement.value().isKnown()) {
            assertThat(measurement.value().value()).isPositive();
        } else {
            assertThat(name).matches(".*(direct|p99)");
            assertThat(measurement.value().words().english()).startsWith("not measured: ");
        }
    }

    private static List<Path> list(Path directory) {
        try (var paths = Files.list(directory)) {
            return paths.toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void refusesUnwritableDirectory(@TempDir Path directory) throws IOException {
        assertRefused(settings(directory.resolve("none")), Exit.USAGE, "the directory does not exist");
        Path file = Files.writeString(directory.resolve("file"), "");
        assertRefused(settings(file), Exit.USAGE, "it is not a directory");
        if (Files.isDirectory(Path.of("/proc/self"))) {
            assertRefused(settings(Path.of("/proc/self")), Exit.USAGE, "cannot write in /proc/self");
        }
    }

    @Test
    void reportsLackOfSpaceBeforeWriting(@TempDir Path directory) {
        Settings settings = new Settings(directory, OptionalLong.of(Long.MAX_VALUE), Duration.ofMillis(1));
        assertRefused(settings, Exit.INTERNAL, "free some space");
        assertThat(list(directory)).isEmpty();
    }

    private static void assertRefused(Settings settings, Exit exit, String message) {
        assertThatThrownBy(() -> HostMeasurements.check(settings))
                .hasMessageContaining(message)
                .hasMessageContaining(settings.directory().toString())
                .hasMessageContaining("--dir")
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(exit));
        assertThatThrownBy(() -> HostMeasurements.run(settings, m -> {})).hasMessageContaining(message);
    }

    @Test
    void fileTakesAtMostHalfOfFreeSpaceByDefault() {
        Path directory = Path.of("d");
        long gib = 1L << 30;
        assertThat(HostMeasurements.fileBytes(directory, OptionalLong.empty(), 100 * gib))
                .isEqualTo(gib);
        assertThat(HostMeasurements.fileBytes(directory, OptionalLong.empty(), gib))
                .isEqualTo(gib / 2);
        assertThat(HostMeasurements.fileBytes(directory, OptionalLong.of(gib), gib))
                .isEqualTo(gib);
        assertThatThrownBy(() -> HostMeasurements.fileBytes(directory, OptionalLong.of(gib), gib - 1))
                .hasMessage(Sentence.of("observe.notEnoughDisk", "1 GiB", "d", "1,024 MiB")
                        .english());
        assertThatThrownBy(() -> HostMeasurements.fileBytes(directory, OptionalLong.empty(), 1 << 20))
                .hasMessage(Sentence.of("observe.notEnoughDisk", "16 MiB", "d", "1 MiB")
                        .english());
        assertThatThrownBy(() -> HostMeasurements.fileBytes(directory, OptionalLong.of(4096), gib))
                .hasMessageContaining("too small")
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE));
    }

    @Test
    void omitsPercentileWithTooFewSamples() {
        CallTimes times = new CallTimes();
        for (int i = 1; i < CallTimes.SAMPLES_FOR_P99; i++) {
            times.record(i * 1_000L);
        }
        List<Measurement> few = times.measurements("disk.fsync", Sentence.verbatim("so"));
        assertThat(few.get(0).value().value()).isCloseTo(50.0, withinPercentage(0.1));
        assertThat(few.get(1).value().words())
                .hasToString(Sentence.of("observe.notMeasured", Sentence.of("observe.tooFew", "99"))
                        .english());
        assertThat(few.get(2).value().value()).isCloseTo(99.0, withinPercentage(0.1));
        times.record(100_000);
        assertThat(times.measurements("disk.fsync", Sentence.verbatim("so"))
                        .get(1)
                        .value()
                        .isKnown())
                .isTrue();
    }
}
