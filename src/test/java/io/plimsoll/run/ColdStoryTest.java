package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.WarmupResult;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.testing.ProxiedLab;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A cluster that is slow at first, because a proxy in front of a real broker delays its responses and logs the delays:
 * a warm-up until steady outlasts this, and a cold start shows it.
 */
@Tag("nightly")
class ColdStoryTest {
    private static final long MILLI = 1_000_000;
    private static final int COLD_MILLIS = 400;
    /** One step per second, so that no eight seconds in a row look steady before the last step. */
    private static final int STEP_MILLIS = 40;

    private static ProxiedLab<TcpProxy> lab;

    @TempDir
    Path out;

    @BeforeAll
    static void start() throws IOException {
        lab = new ProxiedLab<>(new TcpProxy(), Map.of());
    }

    @AfterAll
    static void stop() throws IOException {
        lab.close();
    }

    @AfterEach
    void warm() {
        lab.proxy().delayResponses(0);
    }

    private TrialResult run(String engine, String warmup, Consumer<Snapshot> meanwhile) {
        return Runs.run("""
                name: cold
                topics: [{name: cold, partitions: 2}]
                producers: [{topic: cold, engine: %s, rate: 500/s, record: {size: 100}}]
                warmup: %s
                duration: 5s
                audit: true
                """.formatted(engine, warmup), lab.bootstrapServers(), out, meanwhile)
                .trials()
                .get(0);
    }

    private static double micros(TrialResult trial, String figure) {
        return FigureCatalogue.value(trial, figure, Dimension.MICROSECONDS).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"client", "raw"})
    void warmUpUntilSteadyOutlastsASlowStart(String engine) {
        double[] warm = {0};
        TrialResult trial = run(engine, "steady", snapshot -> {
            long delay = Math.max(0, COLD_MILLIS - STEP_MILLIS * (snapshot.sequence() + 1));
            if (delay == 0 && warm[0] == 0) {
                warm[0] = snapshot.toNanos() / 1e9;
            }
            lab.proxy().delayResponses(delay * MILLI);
        });
        WarmupResult warmup = trial.course().warmup();
        assertThat(warmup.until()).isEqualTo(WarmupResult.STEADY);
        assertThat(warm[0]).isPositive();
        assertThat(warmup.seconds()).as(warmup.toString()).isGreaterThan(warm[0]);
        // The figures exclude records delayed by the proxy: every response of the window came later.
        assertThat(trial.produce().volume().records()).isEqualTo(2500);
        assertThat(trial.audit().counts().lost()).isZero();
        assertThat(micros(trial, "produce.service.p50")).isLessThan(COLD_MILLIS * 1e3);
    }

    @ParameterizedTest
    @CsvSource({"client", "raw"})
    void coldStartHasItsOwnFigures(String engine) {
        lab.proxy().delayResponses(COLD_MILLIS * MILLI);
        TrialResult trial = run(engine, "none", snapshot -> lab.proxy().delayResponses(0));
        double least = COLD_MILLIS * 1e3;
        // Each of these responses took that long: the metadata, the first one of each connection, and the first
        // acknowledgment.
        assertThat(micros(trial, "cold.metadata")).isGreaterThan(least);
        assertThat(micros(trial, "cold.connected")).isGreaterThan(least);
        assertThat(micros(trial, "cold.firstRecord")).isGreaterThan(least);
        assertThat(micros(trial, "cold.firstSecond.p99")).isGreaterThan(least);
        assertThat(trial.produce().volume().records()).isEqualTo(2500);
        assertThat(micros(trial, "produce.service.p50")).isLessThan(least);
        assertThat(trial.course().warmup().until()).isEqualTo("none");
    }

    @Test
    void runWithWarmUpHasNoColdFigures() {
        TrialResult trial = run("client", "1s", snapshot -> {});
        assertThat(FigureCatalogue.value(trial, "cold.firstRecord", Dimension.MICROSECONDS))
                .isEmpty();
    }
}
