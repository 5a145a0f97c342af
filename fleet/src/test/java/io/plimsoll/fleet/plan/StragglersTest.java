package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.fleet.plan.WorkerSums.Stragglers;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.testing.Said;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Lagging agents are detected from everyone's messages. */
class StragglersTest {
    private final Map<String, WorkerSums> workers = new TreeMap<>();

    private void ticks(String worker, long ticks, long late) {
        Counts whole = Counts.Sum.overTime()
                .add(GeneratorUse.TICKS, ticks)
                .add(GeneratorUse.LATE_TICKS, late)
                .total();
        workers.computeIfAbsent(worker, w -> new WorkerSums())
                .add(new Snapshot(
                        worker,
                        "t",
                        0,
                        Phase.MEASURE,
                        0,
                        1,
                        null,
                        null,
                        Counts.NONE,
                        Counts.NONE,
                        whole,
                        Busiest.NONE,
                        List.of(),
                        List.of()));
    }

    @Test
    void namesLateAgent() {
        ticks("a", 1000, 10);
        ticks("b", 1000, 120);
        ticks("c", 1000, 0);
        assertThat(Stragglers.among(workers))
                .hasValueSatisfying(s ->
                        assertThat(s.sentence().english()).containsPattern(Said.en("fleet.straggler", "b", "12.0")));
    }

    @Test
    void slowAgentsDoNotHideEachOther() {
        for (int i = 0; i < 62; i++) {
            ticks("quick" + i, 1000, 10 + i % 3);
        }
        ticks("slow", 1000, 300);
        ticks("slower", 1000, 400);
        assertThat(Stragglers.among(workers))
                .hasValueSatisfying(s -> assertThat(s.names()).containsExactly("slower", "slow"));
    }

    @Test
    void findsNoStragglerIfAllAreLate() {
        ticks("a", 1000, 100);
        ticks("b", 1000, 120);
        assertThat(Stragglers.among(workers)).isEmpty();
    }

    @Test
    void singleAgentIsNoStraggler() {
        assertThat(Stragglers.among(workers)).isEmpty();
        ticks("a", 1000, 900);
        assertThat(Stragglers.among(workers)).isEmpty();
    }
}
