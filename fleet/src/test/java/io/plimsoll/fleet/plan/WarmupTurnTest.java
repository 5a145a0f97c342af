package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.fleet.plan.WarmupTurn.Waiting;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Agents of one host warm up in turns, as many at once as it has cores, and for a time that a run can wait. */
class WarmupTurnTest {
    private static final Duration LIMIT = Duration.ofSeconds(8);

    private static WarmupTurn turn(int after, int limit) {
        return new WarmupTurn(Duration.ofSeconds(after), Duration.ofSeconds(limit));
    }

    private static List<WarmupTurn> together(int agents, int cores, Duration limit) {
        return WarmupTurn.of(Collections.nCopies(agents, cold("x", cores)), limit);
    }

    private static Waiting cold(String host, int cores) {
        return new Waiting(host, cores, false);
    }

    private static Waiting warm(String host, int cores) {
        return new Waiting(host, cores, true);
    }

    @Test
    void agentsOfOneHostTakeTurns() {
        assertThat(WarmupTurn.of(List.of(cold("x", 1), cold("y", 1), cold("x", 1)), LIMIT))
                .containsExactly(turn(0, 4), turn(0, 8), turn(4, 4));
        assertThat(together(2, 2, LIMIT)).containsExactly(turn(0, 8), turn(0, 8));
        assertThat(together(4, 2, LIMIT)).containsExactly(turn(0, 4), turn(0, 4), turn(4, 4), turn(4, 4));
    }

    @Test
    void turnIsLongEnoughForTheCompiler() {
        assertThat(together(64, 2, LIMIT)).element(63).isEqualTo(turn(31, 1));
    }

    @Test
    void skipsWarmUpWithTooManyAgents() {
        assertThat(together(82, 2, LIMIT)).containsOnly(turn(0, 0));
        assertThat(together(82, 2, Duration.ZERO)).containsOnly(turn(0, 0));
    }

    @Test
    void warmAgentsOfACrowdedHostTakeNoTurn() {
        assertThat(WarmupTurn.of(List.of(warm("x", 1), cold("x", 1), warm("y", 1), cold("x", 1)), LIMIT))
                .containsExactly(turn(0, 0), turn(0, 4), turn(0, 8), turn(4, 4));
    }
}
