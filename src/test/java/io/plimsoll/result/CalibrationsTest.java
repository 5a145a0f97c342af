package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.Phase;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calibrations are stored per host and version, and implausible ones are rejected. */
class CalibrationsTest {
    @TempDir
    private Path directory;

    private final List<Sentence> notes = new ArrayList<>();

    private static Calibration calibration(String engine, String side, int size, int batch, double perSecond) {
        Calibration.Breakdown parts = new Calibration.Breakdown(0.1, 0.2, 0.3, 0.4);
        return new Calibration(
                new Calibration.Subject(engine, side, size, batch),
                new Calibration.Rates(perSecond, perSecond * size, 2e6, 4e6),
                new Calibration.Cost(1, parts.bound(), 0.5, 0.1),
                parts,
                Instant.EPOCH);
    }

    private static Calibrations raw(int... sizesAndThousands) {
        List<Calibration> all = new ArrayList<>();
        for (int i = 0; i < sizesAndThousands.length; i += 2) {
            all.add(calibration("raw", "produce", sizesAndThousands[i], 16384, sizesAndThousands[i + 1] * 1000.0));
        }
        return Calibrations.of("here", all);
    }

    @ParameterizedTest
    @CsvSource({
        "100, 1000000",
        "90, 1000000",
        "1000, 250000",
        // Halfway between 1 and 4 µs.
        "550, 400000",
        // 4 µs plus 24 times a slope of 3 µs in 900 bytes.
        "1024, 245098",
        "79, ",
        "1251, ",
    })
    void interpolatesTimePerRecordBetweenSizes(double size, Double expected) {
        Double limit =
                raw(100, 1000, 1000, 250).limit("raw", "produce", 16384, 1).recordsPerSecond(size);
        if (expected == null) {
            assertThat(limit).isNull();
        } else {
            assertThat(limit).isCloseTo(expected, within(1.0));
        }
    }

    @Test
    void clientsAddUpToLimitOfAllCores() {
        Calibrations known = raw(100, 1500);
        assertThat(known.limit("raw", "produce", 16384, 2).recordsPerSecond(100))
                .isEqualTo(3e6);
        assertThat(known.limit("raw", "produce", 16384, 3).recordsPerSecond(100))
                .isEqualTo(4e6);
        assertThat(known.limit("client", "produce", 16384, 1)).isNull();
        assertThat(known.limit("raw", "consume", 16384, 1)).isNull();
        assertThat(known.limit("raw", "produce", 1 << 20, 1)).isNull();
    }

    @Test
    void largestPartIsTheBound() {
        assertThat(new Calibration.Breakdown(4, 3, 2, 1).bound()).isEqualTo("system calls");
        assertThat(new Calibration.Breakdown(3, 4, 2, 1).bound()).isEqualTo("copy");
        assertThat(new Calibration.Breakdown(3, 2, 4, 1).bound()).isEqualTo("CRC");
        assertThat(new Calibration.Breakdown(3, 2, 1, 4).bound()).isEqualTo("code");
    }

    @Test
    void storesAndReplacesCalibrations() {
        CalibrationCache cache = new CalibrationCache(directory.resolve("deep/er"), "this host");
        Calibration small = calibration("raw", "produce", 100, 16384, 1e6);
        Calibration large = calibration("client", "consume", 1000, 16384, 2e6);
        assertThat(cache.read(notes::add).calibrations()).isEmpty();
        assertThat(cache.add(List.of(small, large), notes::add)).isTrue();
        assertThat(cache.read(notes::add).calibrations()).containsExactly(small, large);
        Calibration again = calibration("raw", "produce", 100, 16384, 3e6);
        assertThat(cache.add(List.of(again), notes::add)).isTrue();
        assertThat(cache.read(notes::add).calibrations()).containsExactly(large, again);
        assertThat(new CalibrationCache(directory.resolve("deep/er"), "another")
                        .read(notes::add)
                        .calibrations())
                .isEmpty();
        assertThat(notes).isEmpty();
        assertThat(cache.file().getParent().toFile().list()).hasSize(1);
        CalibrationSchema.assertValid(cache.read(notes::add));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[]",
                "{}",
                "{\"schema\": \"plimsoll.calibration/2\", \"host\": \"h\", \"calibrations\": []}",
                "{\"schema\": \"plimsoll.calibration/1\", \"host\": \"h\", \"calibrations\": null}",
                "{\"schema\": \"plimsoll.calibration/1\", \"host\": \"h\", \"calibrations\": [{}]}",
                "{\"schema\": \"plimsoll.calibration/1\", \"host\": \"h\", \"calibrations\": [null]}",
            })
    void ignoresAndReplacesDamagedFileWithNote(String text) throws IOException {
        CalibrationCache cache = new CalibrationCache(directory, "h");
        Files.writeString(cache.file(), text);
        assertThat(cache.read(notes::add).calibrations()).isEmpty();
        assertThat(notes).singleElement().asString().contains(cache.file().toString(), "ignored", "calibrate");
        assertThat(cache.add(List.of(calibration("raw", "produce", 100, 16384, 1e6)), notes::add))
                .isTrue();
        assertThat(cache.read(notes::add).calibrations()).hasSize(1);
        assertThat(notes).hasSize(1);
    }

    @Test
    void notesUnwritableDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        CalibrationCache cache = new CalibrationCache(file, "h");
        assertThat(cache.add(List.of(calibration("raw", "produce", 100, 16384, 1e6)), notes::add))
                .isFalse();
        assertThat(notes).singleElement().asString().contains("PLIMSOLL_CACHE_DIR");
    }

    @Test
    void defaultsToCacheDirectoryOfUser() {
        Path home = Path.of(System.getProperty("user.home"), ".cache", "plimsoll");
        assertThat(CalibrationCache.directory(Map.of("PLIMSOLL_CACHE_DIR", "/c", "XDG_CACHE_HOME", "/x")))
                .isEqualTo(Path.of("/c"));
        assertThat(CalibrationCache.directory(Map.of("XDG_CACHE_HOME", "/x"))).isEqualTo(Path.of("/x/plimsoll"));
        assertThat(CalibrationCache.directory(Map.of("XDG_CACHE_HOME", "relative")))
                .isEqualTo(home);
        assertThat(CalibrationCache.directory(Map.of())).isEqualTo(home);
    }

    /** Ten seconds with 1000 acknowledged records of {@link Timelines#RECORD_BYTES} per second. */
    private static TrialResult trial(boolean openLoop, int due, double limit) {
        CalibratedLimit known =
                new CalibratedLimit(List.of(new CalibratedLimit.Point((int) Timelines.RECORD_BYTES, limit)));
        TimelineEvent.TrialPlan plan = Timelines.plan(openLoop).withLimits(known, null);
        Fold fold = new Fold();
        fold.accept(Timelines.runStarted("calibrated"));
        fold.accept(Timelines.trialStarted("one", plan));
        for (int i = 0; i < 12; i++) {
            fold.accept(new TimelineEvent.Measured(new Timelines.Second(due, Timelines.latencies(1000, 2000))
                    .acknowledged(1000)
                    .snapshot("one", i, i < 2 ? Phase.WARMUP : Phase.MEASURE, plan)));
        }
        fold.accept(Timelines.trialEnded("one", 10, 0, 0));
        return fold.result().trials().get(0);
    }

    @Test
    void generatorIsTheLimitAboveSeventyPercent() {
        TrialResult below = trial(true, 1000, 1000 / 0.69);
        assertThat(below.observed().generator().calibratedShare()).isCloseTo(0.69, within(1e-6));
        assertThat(below.observed().generator().limited()).isFalse();
        assertThat(below.course().valid()).isTrue();
        TrialResult kept = trial(true, 1000, 1000 / 0.71);
        assertThat(kept.observed().generator().limited()).isTrue();
        // All requested records were sent: a statement about the cluster, with a warning.
        assertThat(kept.course().valid()).isTrue();
        assertThat(kept.judgement().warnings())
                .extracting(Sentence::english)
                .anyMatch(w -> w.contains("71 %")
                        && Said.en("result.allSent").matcher(w).find());
        TrialResult missed = trial(true, 1100, 1000 / 0.71);
        assertThat(missed.course().valid()).isFalse();
        assertThat(missed.judgement().warnings())
                .extracting(Sentence::english)
                .anyMatch(w -> Said.en("result.maybeItsLimit").matcher(w).find());
    }

    @Test
    void closedLoopNearLimitStaysValid() {
        TrialResult trial = trial(false, 0, 1000 / 0.9);
        assertThat(trial.observed().generator().limited()).isTrue();
        assertThat(trial.course().valid()).isTrue();
        assertThat(trial(false, 0, 1000 / 0.5).observed().generator().limited()).isFalse();
    }
}
