package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.measure.AckPulse;
import io.plimsoll.measure.AckPulse.Silence;
import io.plimsoll.measure.Phase;
import io.plimsoll.result.TimelineEvent.Acknowledged;
import io.plimsoll.result.TimelineEvent.Deed;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.result.TimelineEvent.Measured;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The verdict of a run with faults describes them: the silenced partitions, the duration, and any loss. */
class FaultSentencesTest {
    private static final long SECOND = Timelines.SECOND;
    private final Fold fold = new Fold();

    FaultSentencesTest() {
        fold.accept(Timelines.runStarted("one"));
        fold.accept(Timelines.trialStarted("t", Timelines.plan(true)));
    }

    private void fault(int number, String action, double from, double to) {
        Deed deed = new Deed(number, action, Sentence.verbatim(action + " broker 2"), 2);
        fold.accept(new FaultMark(null, "t", (long) (from * SECOND), deed, FaultState.ASKED, null));
        fold.accept(new FaultMark(null, "t", (long) (from * SECOND), deed, FaultState.IN_EFFECT, null));
        fold.accept(new FaultMark(null, "t", (long) (to * SECOND), deed, FaultState.OVER, null));
    }

    /** From second 10 to 14.6, no record is acknowledged in a crash; otherwise responses only take longer. */
    private Sentence verdict(boolean crash) {
        return verdict(crash, 1000);
    }

    /** @param before records acknowledged per second out of 1,000 due, before second 10 */
    private Sentence verdict(boolean crash, int before) {
        for (int s = 0; s < 40; s++) {
            boolean hit = s >= 10 && s < 14;
            fold.accept(new Measured(new Timelines.Second(1000, Timelines.latencies(1000, hit ? 500_000 : 3000))
                    .acknowledged(s < 10 ? before : 1000)
                    .snapshot("t", s, s < 2 ? Phase.WARMUP : Phase.MEASURE, Timelines.plan(true))));
            List<Long> full = Collections.nCopies(10, 100L);
            List<Long> none = Collections.nCopies(10, 0L);
            List<Long> half = List.of(0L, 0L, 0L, 0L, 0L, 0L, 100L, 100L, 100L, 100L);
            fold.accept(new Acknowledged(
                    "t",
                    new AckPulse(
                            s * SECOND,
                            SECOND / 10,
                            crash && hit ? none : crash && s == 14 ? half : full,
                            0,
                            0,
                            s == 20 && crash
                                    ? List.of(
                                            new Silence("events-0", 10 * SECOND, 197 * SECOND / 10),
                                            new Silence("events-1", 10 * SECOND, 196 * SECOND / 10))
                                    : List.of(),
                            null)));
        }
        fold.accept(fold.endOf(Timelines.trialEnded("t", 38, 40_000, 0), List.of()));
        fold.accept(fold.end(Timelines.START.plusSeconds(50)));
        return fold.result().verdict().sentence();
    }

    @Test
    void describesCrash() {
        fault(0, "kill", 10, 14);
        Sentence verdict = verdict(true);
        assertThat(verdict.english())
                .isEqualTo(faulted(
                                "kill",
                                Sentence.of("result.silenced", 2, 2, "9.7 s"),
                                Sentence.of("result.backAfter", "9.7 s"),
                                Sentence.of("result.nothingLost"))
                        .english());
        assertThat(verdict.in(Language.ZH)).startsWith("broker 2 崩溃使 2 个分区中的 2 个中断 9.7 s；");
    }

    /** A backlog that grew before the fault leaves no baseline: only throughput is compared. */
    @Test
    void comparesOnlyThroughputWithoutBaseline() {
        fault(0, "kill", 10, 14);
        FaultSentencesTest sameAtRest = new FaultSentencesTest();
        sameAtRest.fault(0, "kill", 10, 14);
        assertThat(keys(verdict(true, 600)))
                .contains("result.throughputBackAfter")
                .doesNotContain("result.backAfter");
        assertThat(keys(sameAtRest.verdict(true, 1000))).contains("result.backAfter");
    }

    private static List<String> keys(Sentence sentence) {
        return Stream.concat(
                        Stream.of(sentence.key()),
                        sentence.arguments().stream()
                                .flatMap(a -> a instanceof List<?> all ? all.stream() : Stream.of(a))
                                .filter(Sentence.class::isInstance)
                                .flatMap(a -> keys((Sentence) a).stream()))
                .toList();
    }

    /** A fault that was not injected shows nothing, regardless of the load; a skipped one was reported. */
    @Test
    void failedFaultInvalidatesRun() {
        planned(FaultState.FAILED);
        assertThat(verdict(false).english())
                .startsWith(Sentence.of("result.faultFailed", "t").english());
        assertThat(fold.result().head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
    }

    @Test
    void skippedFaultIsNoFailure() {
        planned(FaultState.SKIPPED);
        assertThat(verdict(false).english()).containsPattern(Said.en("result.took"));
        assertThat(fold.result().head().exitCode()).isZero();
    }

    private void planned(FaultState end) {
        Deed deed = new Deed(0, "exec", Sentence.verbatim("exec"), null);
        fold.accept(new FaultMark(null, "t", 10 * SECOND, deed, FaultState.ASKED, null));
        fold.accept(new FaultMark(null, "t", 10 * SECOND, deed, end, Sentence.verbatim("No.")));
    }

    @Test
    void reportsNoRecoveryBeforeNextFault() {
        fault(0, "kill", 10, 14);
        fault(1, "slow", 13, 13.5);
        assertThat(verdict(true).english())
                .isEqualTo(Sentence.of(
                                "result.worstFault",
                                2,
                                faulted(
                                        "kill",
                                        Sentence.of("result.silenced", 2, 2, "9.7 s"),
                                        Sentence.of("result.notBackBeforeNext"),
                                        Sentence.of("result.nothingLost")))
                        .english());
    }

    @Test
    void describesSlowBrokerAmongOtherFaults() {
        fault(0, "exec", 9, 9.1);
        fault(1, "slow", 10, 14);
        assertThat(verdict(false).english())
                .isEqualTo(Sentence.of(
                                "result.worstFault",
                                2,
                                faulted(
                                        "slow",
                                        Sentence.of("result.silencedNone"),
                                        Sentence.of("result.p99Rose", "3.0 ms", "500 ms"),
                                        Sentence.of("result.neverFell"),
                                        Sentence.of("result.nothingLost")))
                        .english());
    }

    private static Sentence faulted(String action, Sentence... effects) {
        return Sentence.of("result.faulted", Sentence.of("result.faultOf." + action, 2), List.of(effects));
    }
}
