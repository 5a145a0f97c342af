package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Phase;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.WarmupResult;
import io.plimsoll.run.TrialRun.WarmupWatch;
import io.plimsoll.run.TrialRun.WarmupWatch.End;
import io.plimsoll.scenario.Warmup;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** End of an adaptive warm-up, and its report. */
class WarmupWatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final TrialPlan PLAN = Timelines.plan(true);

    private int seconds;

    /** Continues until an end is found, with a snapshot a few milliseconds after each second. */
    private End end(Warmup asked, Duration notice, IntToLongFunction serviceMicros) {
        WarmupWatch watch = new WarmupWatch(asked, notice, true, true);
        for (seconds = 1; seconds < 1000; seconds++) {
            long micros = serviceMicros.applyAsLong(seconds - 1);
            var second = new Timelines.Second(100, Timelines.latencies(100, micros));
            Optional<End> end =
                    watch.accept(second.snapshot("t", seconds - 1, Phase.WARMUP, PLAN), seconds * SECOND + 3_000_000);
            if (end.isPresent()) {
                assertThat(watch.accept(second.snapshot("t", seconds, Phase.WARMUP, PLAN), (seconds + 1) * SECOND))
                        .isEmpty();
                return end.get();
            }
        }
        return null;
    }

    private static final Duration HALF = Duration.ofMillis(500);

    @Test
    void endsOnUpcomingWholeSecond() {
        End end = end(Warmup.STEADY, HALF, k -> 1000);
        assertThat(seconds).isEqualTo(9);
        assertThat(end.nanos()).isEqualTo(10 * SECOND);
        assertThat(end.ended()).isEqualTo(WarmupResult.STEADY);
        assertThat(end.moving()).isEmpty();
        assertThat(end(Warmup.STEADY, Duration.ofSeconds(2), k -> 1000).nanos()).isEqualTo(12 * SECOND);
    }

    @Test
    void respectsMinimumDuration() {
        Warmup long30 = Warmup.untilSteady(Duration.ofSeconds(30), Duration.ofSeconds(60));
        assertThat(end(long30, HALF, k -> 1000).nanos()).isEqualTo(30 * SECOND);
    }

    @Test
    void endsAtMaximumAndNamesUnsteadyFigures() {
        Warmup most20 = Warmup.untilSteady(Duration.ofSeconds(5), Duration.ofSeconds(20));
        End end = end(most20, HALF, k -> 100_000 - 2000 * k);
        assertThat(end.nanos()).isEqualTo(20 * SECOND);
        assertThat(end.ended()).isEqualTo(WarmupResult.AT_MOST);
        assertThat(end.moving()).containsExactly("service.p50", "service.p99");
        // An end cannot be announced for the past.
        assertThat(end(most20, Duration.ofSeconds(2), k -> 100_000 - 2000 * k).nanos())
                .isEqualTo(20 * SECOND);
    }

    @Test
    void acceptsSteadinessAtLastMoment() {
        Warmup most10 = Warmup.untilSteady(Duration.ofSeconds(5), Duration.ofSeconds(10));
        assertThat(end(most10, HALF, k -> 1000).ended()).isEqualTo(WarmupResult.STEADY);
    }

    @Test
    void ignoresFixedWarmup() {
        assertThat(end(Warmup.lasting(Duration.ofSeconds(5)), HALF, k -> 1000)).isNull();
        assertThat(end(Warmup.NONE, HALF, k -> 1000)).isNull();
    }
}
