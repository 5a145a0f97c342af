package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

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
        return WarmupTurn.of(Collections.nCopies(agents, "x"), Collections.nCopies(agents, cores), limit);
    }

    @Test
    void agentsOfOneHostTakeTurns() {
        assertThat(WarmupTurn.of(List.of("x", "y", "x"), List.of(1, 1, 1), LIMIT))
                .containsExactly(turn(0, 4), turn(0, 8), turn(4, 4));
        assertThat(together(2, 2, LIMIT)).containsExactly(turn(0, 8), turn(0, 8));
        assertThat(together(4, 2, LIMIT)).containsExactly(turn(0, 4), turn(0, 4), turn(4, 4), turn(4, 4));
    }

    @Test
    void aTurnIsLongEnoughForTheCompiler() {
        assertThat(together(64, 2, LIMIT)).element(63).isEqualTo(turn(31, 1));
    }

    @Test
    void tooManyForTurnsOfUseDoNotWarmUp() {
        assertThat(together(82, 2, LIMIT)).containsOnly(turn(0, 0));
        assertThat(together(82, 2, Duration.ZERO)).containsOnly(turn(0, 0));
    }
}
