package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.fleet.plan.WarmupTurn.Waiting;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Agents observe less often only on hosts with more agents than cores. */
class CrowdTest {
    private static Waiting on(String host, int cores) {
        return new Waiting(host, cores, true);
    }

    @Test
    void agentsWithOwnCoreLookAtFullRate() {
        assertThat(Crowd.of(List.of(on("x", 2), on("x", 2), on("y", 1)))).containsExactly(1, 1, 1);
    }

    @Test
    void countsAgentsPerCoreOnEachHost() {
        assertThat(Crowd.of(List.of(on("x", 2), on("y", 1), on("x", 2), on("x", 2), on("y", 1))))
                .containsExactly(2, 2, 2, 2, 2);
        assertThat(Crowd.of(Collections.nCopies(16, on("x", 2)))).containsOnly(8);
    }

    @Test
    void capsLookIntervalOnCrowdedHosts() {
        assertThat(Crowd.of(Collections.nCopies(64, on("x", 2)))).containsOnly(Crowd.MOST);
    }

    @Test
    void awaitsAgentsOfCrowdedHostsLonger() {
        assertThat(Crowd.patienceNanos(3, 1)).isEqualTo(3);
        assertThat(Crowd.patienceNanos(3, 2)).isEqualTo(6);
        assertThat(Crowd.patienceNanos(3, Crowd.MOST)).isEqualTo(12);
    }

    @Test
    void unknownCoresCountAsOne() {
        assertThat(Crowd.of(List.of(on("x", 0), on("x", 0)))).containsOnly(2);
    }
}
