package io.plimsoll.run.guards;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.GuardResult;
import io.plimsoll.run.guards.Guard.FigureGuard;
import io.plimsoll.run.guards.Guard.ThrottleGuard;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reaction to a harmful load: half the rate at once, and its end if that does not help. */
class GuardWatchTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<String> done = new ArrayList<>();
    private boolean hasRate = true;
    private final GuardWatch.Brake brake = new GuardWatch.Brake() {
        @Override
        public boolean halve(Sentence why, Sentence verdict) {
            if (hasRate) {
                done.add(why.english());
            }
            return hasRate;
        }

        @Override
        public void stop(Sentence why) {
            done.add(why.english());
        }
    };

    /** Reports violations set by a test. */
    private static final class Planted extends Guard {
        private String wrong = "";
        private boolean atOnce;

        Planted() {
            this("planted");
        }

        Planted(String name) {
            super(name, Sentence.verbatim("nothing"));
        }

        @Override
        public boolean stopsAtOnce() {
            return atOnce;
        }

        @Override
        public Optional<Sentence> judge() {
            return wrong.isEmpty() ? Optional.empty() : Optional.of(Sentence.verbatim(wrong));
        }
    }

    private final Planted guard = new Planted();
    private final GuardWatch watch = new GuardWatch(List.of(guard), LoadLimits.DEFAULT, brake);

    private void look(int fromSecond, int toSecond, String wrong) {
        guard.wrong = wrong;
        for (int s = fromSecond; s <= toSecond; s++) {
            watch.judge(s * SECOND);
        }
    }

    @Test
    void halvesHarmfulLoadAtOnceAndThenStopsIt() {
        look(1, 9, "");
        assertThat(done).isEmpty();
        look(10, 24, "it hurts");
        assertThat(done).singleElement().asString().matches(Said.en("guards.halved", "planted", "it hurts", "1/2", 15));
        look(25, 40, "it hurts");
        assertThat(done).hasSize(2).last().asString().matches(Said.en("guards.stopped", "planted", "it hurts", "1/2"));
        GuardResult result = watch.end().get(0);
        assertThat(result.halvedSeconds()).isEqualTo(10);
        assertThat(result.stoppedSeconds()).isEqualTo(25);
    }

    /** The guard that stops the load need not be the one that reduced it. */
    @Test
    void reportsActionsOfEachGuard() {
        Planted other = new Planted("other");
        GuardWatch both = new GuardWatch(List.of(guard, other), LoadLimits.DEFAULT, brake);
        guard.wrong = "it hurts";
        both.judge(10 * SECOND);
        other.wrong = "it is full";
        other.atOnce = true;
        both.judge(12 * SECOND);
        List<GuardResult> results = both.end();
        assertThat(results.get(0).found()).isEqualTo(Sentence.verbatim("it hurts"));
        assertThat(results.get(0).halvedSeconds()).isEqualTo(10);
        assertThat(results.get(0).stoppedSeconds()).isNull();
        assertThat(results.get(1).found()).isEqualTo(Sentence.verbatim("it is full"));
        assertThat(results.get(1).halvedSeconds()).isNull();
        assertThat(results.get(1).stoppedSeconds()).isEqualTo(12);
        assertThat(both.end()).extracting(GuardResult::found).containsOnlyNulls();
    }

    @Test
    void recoveredLoadContinuesUntilFourthViolation() {
        for (int s = 0; s < 80; s += 20) {
            look(s, s + 5, "it hurts");
            look(s + 6, s + 19, "");
        }
        assertThat(done).hasSize(4);
        assertThat(done.get(2)).matches(Said.en("guards.halved", "planted", "it hurts", "1/8", null));
        assertThat(done.get(3)).startsWith("Stopped by the guard planted");
    }

    @Test
    void stopsAtOnceIfDiskIsFull() {
        guard.atOnce = true;
        look(1, 3, "it is full");
        assertThat(done).containsExactly("Stopped by the guard planted: it is full");
    }

    /** Consumers alone cannot be slowed, so no sentence may claim a lower rate. */
    @Test
    void stopsLoadWithoutRateAtOnce() {
        hasRate = false;
        look(1, 30, "it hurts");
        assertThat(done).singleElement().asString().matches(Said.en("guards.stoppedAtOnce", "planted", "it hurts"));
        GuardResult result = watch.end().get(0);
        assertThat(result.halvedSeconds()).isNull();
        assertThat(result.stoppedSeconds()).isEqualTo(1);
    }

    private static Observation broker(double... sums) {
        return new Observation(
                "broker 1",
                "jmx",
                0,
                SECOND,
                Map.of("handlerIdleNanos", sums[0] * 1e9, "seconds", 1.0, "produce.throttleMs", sums[1]),
                Map.of());
    }

    @Test
    void judgesHandlerIdleTimeByFiveSecondMean() {
        FigureGuard idle = new FigureGuard(CheckParser.parse("broker.handlerIdle > 10%"));
        for (double share : new double[] {0.02, 0.02, 0.02, 0.02}) {
            idle.accept(broker(share, 0));
        }
        assertThat(idle.judge()).isEmpty();
        idle.accept(broker(0.02, 0));
        assertThat(idle.judge()).map(Sentence::english).hasValueSatisfying(t -> assertThat(t)
                .matches(Said.en("guards.figure", "broker 1", "0.02", "broker.handlerIdle > 10%", 5)));
        idle.accept(broker(0.9, 0));
        assertThat(idle.judge()).isEmpty();
    }

    private static Observation at(String what, int second, double idle) {
        return new Observation(
                what,
                "jmx",
                second * SECOND,
                (second + 1) * SECOND,
                Map.of("handlerIdleNanos", idle * 1e9, "seconds", 1.0),
                Map.of());
    }

    /** A broker that is down says nothing about the load any more. */
    @Test
    void ignoresBrokerWithoutValuesForSomeSeconds() {
        FigureGuard idle = new FigureGuard(CheckParser.parse("broker.handlerIdle > 10%"));
        for (int second = 0; second < 5; second++) {
            idle.accept(at("broker 1", second, 0.02));
        }
        for (int second = 0; second < 10; second++) {
            idle.accept(at("broker 2", second, 0.9));
        }
        assertThat(idle.judge()).isPresent();
        idle.accept(at("broker 2", 10, 0.9));
        assertThat(idle.judge()).isEmpty();
        for (int second = 11; second < 16; second++) {
            idle.accept(at("broker 1", second, 0.02));
        }
        assertThat(idle.judge()).isPresent();
    }

    @Test
    void reportsThrottlingUnlessPresentBeforeLoad() {
        ThrottleGuard throttles = new ThrottleGuard();
        throttles.begin();
        throttles.accept(broker(1, 0));
        for (int i = 0; i < 5; i++) {
            throttles.accept(broker(1, 40));
        }
        assertThat(throttles.judge()).isPresent();
        throttles.begin();
        for (int i = 0; i < 9; i++) {
            throttles.accept(broker(1, 40));
        }
        assertThat(throttles.judge()).isEmpty();
    }
}
