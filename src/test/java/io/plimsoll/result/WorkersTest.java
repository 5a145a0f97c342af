package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Latencies;
import io.plimsoll.report.Look;
import io.plimsoll.report.RunReport;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.TimelineEvent.WorkersMeasured;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Check.Operator;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contribution of each agent of a fleet, and the remaining clock error. */
class WorkersTest {
    private static final TrialPlan PLAN = Timelines.plan(true);

    private static WorkerResult worker(String name, double errorMicros, Latencies own, boolean straggler, String lost) {
        return new WorkerResult(
                name,
                new WorkerResult.Part(
                        "10.0.0.1:7654", "1 (abc)", 4, List.of("producers[0] client 0"), List.of(), List.of()),
                new WorkerResult.Flow(2500.0, 2499.5, 2.5e6, 0, 25_000, 0),
                new WorkerResult.Tails(8000L, 30L),
                new WorkerResult.Usage(0.5, 0.25, 0.01),
                new WorkerResult.Clock(123_456.0, errorMicros, own == null ? null : TrialResult.Latency.of(own)),
                straggler,
                lost == null ? null : Sentence.verbatim(lost));
    }

    /** Half of the records take 1 ms, the other half 9 ms. */
    private static RunResult run(WorkerResult... workers) {
        Latencies both = Timelines.latencies(2500, 1000).plus(Timelines.latencies(2500, 9000));
        List<Second> seconds =
                IntStream.range(0, 10).mapToObj(i -> new Second(5000, both)).toList();
        List<TimelineEvent> events = new ArrayList<>();
        events.add(Timelines.runStarted("fleet"));
        events.addAll(Timelines.trial("one", PLAN, List.of(), seconds));
        events.add(new WorkersMeasured("one", List.of(workers)));
        events.add(Timelines.trialEnded("one", 10, 50_000, 0));
        return Fold.fold(events.stream());
    }

    @Test
    void hidesPercentilesBelowClockError() {
        Latencies own = Timelines.latencies(500, 900);
        RunResult result = run(worker("a", 3000, own, false, null), worker("b", 1000, null, false, null));
        Consume consume = result.trials().get(0).consume();
        assertThat(consume.times().clockErrorMicros()).isEqualTo(4000);
        assertThat(consume.times().endToEnd().percentiles().p50()).isNull();
        assertThat(consume.times().endToEnd().min()).isNull();
        assertThat(consume.times().endToEnd().percentiles().p99()).isBetween(8990L, 9010L);
        assertThat(consume.times().endToEnd().mean()).isNotNull();
        assertThat(consume.times().endToEndUnknown().english()).contains("4.0 ms");
        assertThat(consume.times().ownEndToEnd().percentiles().p50()).isEqualTo(900);
        assertThat(result.verdict().warnings()).extracting(Sentence::english).anySatisfy(w -> assertThat(w)
                .containsPattern(Said.en("result.clocks", "4.0 ms", Sentence.of("result.byOneClock", "900 µs"))));
        assertThat(RunReport.terminal(result, new Look(120, false, Language.EN)))
                .containsPattern("end-to-end +< 4\\.0 ms")
                .containsPattern("own end-to-end +900 µs");
        assertThat(RunReport.markdown(result, Language.EN)).contains("| &lt; 4.0 ms |");
        ResultSchema.assertValid(result);
    }

    @Test
    void smallClockErrorChangesNothing() {
        RunResult result = run(worker("a", 30, null, false, null), worker("b", 10, null, false, null));
        Consume consume = result.trials().get(0).consume();
        assertThat(consume.times().clockErrorMicros()).isEqualTo(40);
        assertThat(consume.times().endToEndUnknown()).isNull();
        assertThat(consume.times().endToEnd().percentiles().p50()).isBetween(999L, 1001L);
        assertThat(result.verdict().warnings()).extracting(Sentence::english).noneMatch(w -> w.contains("clocks"));
    }

    @Test
    void singleAgentHasNoClockError() {
        Consume consume =
                run(worker("a", 3000, null, false, null)).trials().get(0).consume();
        assertThat(consume.times().clockErrorMicros()).isNull();
        assertThat(consume.times().endToEnd().percentiles().p50()).isBetween(999L, 1001L);
    }

    @Test
    void checkOnHiddenPercentilePassesOnlyIfCertain() {
        TrialResult trial = run(worker("a", 3000, null, false, null), worker("b", 1000, null, false, null))
                .trials()
                .get(0);
        assertThat(p50Below(trial, 9000)).isTrue();
        assertThat(p50Below(trial, 8000)).isFalse();
    }

    private static boolean p50Below(TrialResult trial, double micros) {
        return Checks.evaluate(
                        trial, new Check("p50", "consume.endToEnd.p50", Operator.LESS, micros, Dimension.MICROSECONDS))
                .passed();
    }

    @Test
    void showsOneRowPerAgent() {
        RunResult result = run(worker("a", 30, null, true, null), worker("b", 10, null, false, "did not answer"));
        assertThat(result.trials().get(0).observed().workers()).hasSize(2);
        assertThat(RunReport.terminal(result, new Look(200, false, Language.EN)))
                .containsPattern("a \\(straggler\\) +10\\.0\\.0\\.1:7654, 4 cores +producers\\[0\\] client 0 +2,500 ")
                .contains("b (lost)")
                .contains("± 30 µs");
        assertThat(RunReport.markdown(result, Language.EN))
                .contains("## Agents")
                .contains("| b (lost) |");
    }

    @Test
    void namesOnlyOutliersOfManyAgents() {
        List<WorkerResult> all = IntStream.range(0, 64)
                .mapToObj(i -> worker("agent" + i, 1000 + i, null, i == 7, i == 9 ? "was lost" : null))
                .toList();
        String report = RunReport.terminal(run(all.toArray(WorkerResult[]::new)), new Look(200, false, Language.EN));
        assertThat(report)
                .containsPattern(Said.en("report.straggler", "agent7"))
                .containsPattern(Said.en("report.lostWorker", "agent9"))
                .containsPattern(Said.en("report.others.2median", 62))
                .contains("± 1.1 ms")
                .doesNotContain("agent8", "agent63");
    }
}
