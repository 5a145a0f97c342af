package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Phase;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.result.Progress;
import io.plimsoll.result.Timelines;
import io.plimsoll.run.TrialRun.TrialProgress;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A phase is never more than complete. */
class TrialProgressTest {
    @Test
    void capsProgressAtEndOfPhase() {
        Scenario scenario = ScenarioReader.read("""
                        name: late
                        lab: {}
                        topics: [{name: events}]
                        producers: [{topic: events, rate: 100/s}]
                        warmup: 2s
                        duration: 4s
                        """, "late.yaml", List.of(), 1)
                .trials()
                .get(0)
                .scenario();
        List<Double> done = new ArrayList<>();
        List<Double> left = new ArrayList<>();
        TrialProgress progress = new TrialProgress("late", scenario, new Progress() {
            @Override
            public void phase(String name, String phase, double fraction, double etaSeconds) {
                done.add(fraction);
                left.add(etaSeconds);
            }

            @Override
            public void close() {}
        });
        Timelines.Second second = new Timelines.Second(100, Timelines.latencies(100, 1000));
        WarmupEnd end = WarmupEnd.after(2 * Timelines.SECOND);
        progress.accept(second.snapshot("late", 0, Phase.WARMUP, Timelines.plan(true)), end);
        progress.accept(second.snapshot("late", 2, Phase.WARMUP, Timelines.plan(true)), end);
        progress.accept(second.snapshot("late", 3, Phase.MEASURE, Timelines.plan(true)), end);
        progress.accept(second.snapshot("late", 6, Phase.MEASURE, Timelines.plan(true)), end);
        assertThat(done).containsExactly(0.5, 1.0, 0.5, 1.0);
        assertThat(left).containsExactly(1.0, 0.0, 2.0, 0.0);
    }
}
