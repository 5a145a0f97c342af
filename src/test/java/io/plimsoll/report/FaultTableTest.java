package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.FaultResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Group faults: with several trials, one table has the cost of each fault, and the other tables only the effect on
 * producers.
 */
class FaultTableTest {
    private static final FaultResult JOIN = fault("joinMember", 0.124, 2.4, 0, 0);
    private static final FaultResult KILL = fault("killMember", 7.45, 16.42, 1_655, 0);
    private static final FaultResult FELT = fault("killMember", 7.7, 16.7, 1_364, 5);
    private static final FaultResult SLOW = fault("slow", 2, 0.2, 0.3, 0, 0);

    @Test
    void sameFaultsInSeveralTrialsBecomeColumns() {
        String text = terminal(result(List.of(JOIN, KILL), List.of(JOIN, KILL)));
        assertThat(text)
                .containsPattern("rebalances +join +kill +read again\\n")
                .containsPattern("latency +0.12 / 2.4 s +7.5 / 16.4 s +1,655\\n")
                .containsPattern(Said.en("report.about.rebalancesByTrial"))
                .doesNotContain("Faults", "before → during");
        assertThat(terminal(result(List.of(JOIN, KILL), List.of(JOIN, KILL)), Language.ZH))
                .containsPattern(Said.zhPattern("«report.label.rebalances» «report.rebalance.joinMember»"
                        + " «report.rebalance.killMember» «report.label.readAgain»"));
        assertThat(RunReport.markdown(result(List.of(JOIN, KILL), List.of(JOIN, KILL)), Language.EN))
                .contains("| latency | 0.12 / 2.4 s | 7.5 / 16.4 s | 1,655 |")
                .containsPattern("\\| killMember +\\| latency +\\| 12 ");
    }

    @Test
    void reportsEffectOnProducersSeparately() {
        assertThat(terminal(result(List.of(JOIN, FELT), List.of(JOIN, KILL))))
                .containsPattern("Faults +silent partitions")
                .containsPattern("killMember +5 of 12 +1.8 s")
                .doesNotContain("0 of 12")
                .contains("killMember: response time before → during → after: p50 – → 4.0 ms → –");
        assertThat(RunReport.markdown(result(List.of(JOIN, FELT), List.of(JOIN, KILL)), Language.EN))
                .containsPattern("silent for +\\| +silent for \\(append times\\)")
                .containsPattern("5 of 12 +\\| +1.8 s +\\| +1.2 s");
        assertThat(RunReport.markdown(result(List.of(JOIN, SLOW), List.of(KILL)), Language.EN))
                .doesNotContain("silent for (append times)");
    }

    /** Broker faults do not silence producers, but still affect them. */
    @Test
    void alwaysReportsBrokerFaults() {
        assertThat(terminal(result(List.of(SLOW, KILL), List.of(SLOW, KILL))))
                .containsPattern("Faults +.*silent partitions")
                .containsPattern("slow +.*0 of 12")
                .contains("slow: response time before → during → after: p50 – → 4.0 ms → –")
                .doesNotContain("killMember:");
    }

    @Test
    void faultsThatDifferByTrialGetARowEach() {
        assertThat(terminal(result(List.of(JOIN, KILL), List.of(KILL))))
                .containsPattern("rebalances +trial +.*longest silence +.*read again +stable after\\n")
                .containsPattern("killMember +throughput +12 +7.5 s .* 1,655 +16.4 s\\n");
    }

    @Test
    void reportsAllFaultsOfASingleTrial() {
        RunResult two = result(List.of(JOIN, KILL), List.of());
        RunResult one = with(two, two.trials().subList(0, 1));
        assertThat(terminal(one))
                .containsPattern("joinMember +.*0 of 12")
                .contains("joinMember: response time before → during → after");
    }

    private static String terminal(RunResult result) {
        return terminal(result, Language.EN);
    }

    private static String terminal(RunResult result, Language language) {
        return RunReport.terminal(result, new Look(100, false, language));
    }

    private static FaultResult fault(String action, double silent, double stable, long again, int silenced) {
        return fault(action, null, silent, stable, again, silenced);
    }

    private static FaultResult fault(
            String action, Integer broker, double silent, double stable, long again, int silenced) {
        return new FaultResult(
                new FaultResult.Deed(action, Sentence.verbatim(action), broker, "over", null),
                new FaultResult.Span(3, 3.0, 18.0),
                new FaultResult.Effect(0.07, 0.0, 0, null, new TrialResult.Errors(0, Map.of()), 60_000L, 0L, 0L),
                new FaultResult.Silenced(
                        silenced,
                        12,
                        silenced == 0 ? null : 1.8,
                        silenced == 0 ? null : 1.8,
                        null,
                        silenced == 0 ? null : 1.2),
                new FaultResult.Response(null, new FaultResult.Around(4_000L, 9_000L, 60_000L), null, null),
                new FaultResult.Rebalance(12, silent, silent / 2, 30, again, stable, 4));
    }

    private static RunResult result(List<FaultResult> first, List<FaultResult> second) {
        RunResult quick = Samples.quick();
        List<TrialResult> trials = new ArrayList<>();
        trials.add(with(quick.trials().get(0), first));
        trials.add(with(quick.trials().get(1), second));
        return with(quick, trials);
    }

    private static RunResult with(RunResult r, List<TrialResult> trials) {
        return new RunResult(
                r.head(), r.tool(), r.environment(), r.scenario(), r.verdict(), trials, r.published(), r.ceilings());
    }

    private static TrialResult with(TrialResult t, List<FaultResult> faults) {
        TrialResult.Detail d = t.detail();
        return Timelines.with(
                t,
                t.observed(),
                new TrialResult.Detail(
                        d.parameters(),
                        d.setup(),
                        d.partitions(),
                        d.seconds(),
                        faults,
                        d.figures(),
                        d.distributions(),
                        List.of(),
                        List.of()));
    }
}
