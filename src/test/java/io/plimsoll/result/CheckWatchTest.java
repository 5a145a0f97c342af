package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Phase;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** A check that can no longer pass is detected during the trial, and never too early. */
class CheckWatchTest {
    private static final Second FAST = new Second(100, Timelines.latencies(100, 1000));
    private static final Second SLOW = new Second(100, Timelines.latencies(100, 90_000));
    private static final Second FAILING = new Second(100, Timelines.latencies(100, 1000)).errors(Map.of("timeout", 2L));

    /** @return the reported check of each second; null for none */
    private static List<String> said(String check, double planned, Phase phase, List<Second> seconds) {
        CheckWatch watch = new CheckWatch(List.of(CheckParser.parse(check)), planned);
        List<String> said = new ArrayList<>();
        long sequence = 0;
        for (Second second : seconds) {
            Optional<Sentence> broken = watch.accept(second.snapshot("t", sequence++, phase, Timelines.plan(true)));
            said.add(broken.map(Sentence::english).orElse(null));
        }
        return said;
    }

    private static List<String> said(String check, double planned, Second... seconds) {
        return said(check, planned, Phase.MEASURE, List.of(seconds));
    }

    @Test
    void detectsCountsBeyondTheirLimit() {
        assertThat(said("produce.errors == 0", 10, FAST, FAILING, FAST))
                .containsExactly(
                        null,
                        "produce.errors == 0 ("
                                + Sentence.of("result.already", "2").english() + ")",
                        "produce.errors == 0 ("
                                + Sentence.of("result.already", "2").english() + ")");
        assertThat(said("produce.errors <= 3", 10, FAILING, FAILING))
                .containsExactly(
                        null,
                        "produce.errors <= 3 ("
                                + Sentence.of("result.already", "4").english() + ")");
        assertThat(said("produce.errors < 5", 0, FAILING, FAILING, FAILING))
                .element(2)
                .isNotNull();
    }

    @Test
    void detectsMaximumBeyondItsLimit() {
        assertThat(said("produce.response.max < 50ms", 10, FAST, SLOW))
                .containsExactly(
                        null,
                        "produce.response.max < 50ms ("
                                + Sentence.of("result.already", "90.0 ms").english() + ")");
        assertThat(said("consume.e2e.max < 50ms", 10, FAST, SLOW)).element(1).isNotNull();
    }

    @Test
    void reportsChecksDecidedByTheLastSecond() {
        List<String> texts = List.of("produce.errors == 0", "produce.response.p99 < 50ms", "audit.lost == 0");
        CheckWatch watch = new CheckWatch(texts.stream().map(CheckParser::parse).toList(), 10);
        List<List<String>> seen = new ArrayList<>();
        Progress progress = new Progress() {
            @Override
            public void checks(List<String> held, List<String> missed) {
                seen.add(held);
                seen.add(missed);
            }

            @Override
            public void close() {}
        };
        long sequence = 0;
        for (Second second : List.of(FAST, SLOW, FAILING)) {
            watch.accept(second.snapshot("t", sequence++, Phase.MEASURE, Timelines.plan(true)));
            watch.report(progress);
        }
        watch.accept(SLOW.snapshot("t", sequence, Phase.DRAIN, Timelines.plan(true)));
        watch.report(progress);
        assertThat(seen)
                .containsExactly(
                        texts.subList(0, 2), List.of(),
                        texts.subList(0, 1), texts.subList(1, 2),
                        texts.subList(1, 2), texts.subList(0, 1));
    }

    @Test
    void waitsForChecksThatMayStillPass() {
        assertThat(said("produce.errors > 1", 10, FAST, FAST)).containsOnlyNulls();
        assertThat(said("produce.errors != 2", 10, FAILING, FAST)).containsOnlyNulls();
        assertThat(said("produce.response.p99 < 50ms", 10, SLOW, SLOW, SLOW)).containsOnlyNulls();
        assertThat(said("produce.throughput > 1GB/s", 10, FAST, FAST)).containsOnlyNulls();
    }

    /** Of ten seconds, or eleven with other boundaries, only one may fail. */
    @Test
    void countsFailedSeconds() {
        String check = "produce.response.p99 < 50ms for 90% of seconds";
        assertThat(said(check, 10, SLOW, FAST, SLOW))
                .containsExactly(
                        null,
                        null,
                        check + " ("
                                + Sentence.of("result.secondsFailed", "2", "10").english() + ")");
        assertThat(said(check, 0, SLOW, SLOW, SLOW, SLOW)).containsOnlyNulls();
    }

    @Test
    void ignoresTheWarmUp() {
        List<Second> bad = List.of(SLOW, FAILING, SLOW);
        assertThat(said("produce.errors == 0", 10, Phase.WARMUP, bad)).containsOnlyNulls();
        assertThat(said("produce.response.p99 < 50ms for 99% of seconds", 10, Phase.WARMUP, bad))
                .containsOnlyNulls();
    }

    /** A trial that was ended because of a check has failed that check. */
    @Property(tries = 200)
    void isNeverContradictedByTheFinalResult(
            @ForAll @Size(min = 1, max = 12) List<Boolean> slow, @ForAll @IntRange(min = 1, max = 100) int percent) {
        String check = "produce.response.p99 < 50ms for " + percent + "% of seconds";
        List<Second> seconds = slow.stream().map(s -> s ? SLOW : FAST).toList();
        boolean given =
                said(check, seconds.size(), Phase.MEASURE, seconds).stream().anyMatch(s -> s != null);
        TrialResult whole = Timelines.oneTrial(
                        Timelines.plan(true), seconds, Timelines.trialEnded("t", seconds.size(), 100, 0))
                .trials()
                .get(0);
        CheckResult result = Checks.evaluate(whole, CheckParser.parse(check));
        long fast = slow.stream().filter(s -> !s).count();
        assertThat(result.measured()).isEqualTo((double) fast / slow.size());
        assertThat(result.passed()).isEqualTo((double) fast / slow.size() >= percent / 100.0);
        assertThat(given && result.passed()).isFalse();
    }
}
