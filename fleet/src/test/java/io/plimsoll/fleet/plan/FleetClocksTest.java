package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.fleet.plan.ClockOffset.OffsetEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Guards that the agents of a fleet have the same time after hours, and that the reported error is the true one. */
class FleetClocksTest {
    private static final long EPOCH_OFFSET = 1_700_000_000_000_000_000L;
    private static final long BEAT_NANOS = 200_000_000;
    private static final long HOURS = TimeUnit.HOURS.toNanos(2);

    /** An agent with a drifting clock, and its received corrections. */
    private static final class Agent {
        private final String name;
        private final double ppm;
        private final ClockOffset watched = new ClockOffset();
        private final SplittableRandom random;
        private long told;

        Agent(String name, double ppm) {
            this.name = name;
            this.ppm = ppm;
            this.random = new SplittableRandom(name.hashCode());
        }

        long clock(long ours) {
            return 77_000_000_000L + ours + Math.round(ours * ppm / 1e6);
        }

        void beat(long sent) {
            long there = sent + 50_000 + random.nextLong(400_000);
            long back = there + 50_000 + random.nextLong(400_000);
            watched.add(sent, clock(there), clock(there), back);
        }

        void look(FleetClocks clocks, long now) {
            OffsetEstimate seen = watched.at(now).orElseThrow();
            clocks.look(name, seen).ifPresent(epochOffset -> told = epochOffset);
        }

        long wrong(long now) {
            return clock(now) + told - (now + EPOCH_OFFSET);
        }
    }

    @Test
    void agentsStayInSyncWithinReportedErrorForHours() {
        FleetClocks clocks = new FleetClocks(EPOCH_OFFSET);
        List<Agent> agents = List.of(new Agent("a", 50), new Agent("b", -30), new Agent("c", 0));
        List<Long> apart = new ArrayList<>();
        for (long now = 0; now < HOURS; now += BEAT_NANOS) {
            for (Agent agent : agents) {
                agent.beat(now);
            }
            if (now >= 8 * BEAT_NANOS && now % (5 * BEAT_NANOS) == 0) {
                long at = now + 1_000_000;
                long worst = apart(agents, at);
                agents.forEach(agent -> agent.look(clocks, at));
                if (!apart.isEmpty()) {
                    // The correction in use until now.
                    assertThat(worst).isLessThanOrEqualTo(clocks.errorNanos() + 5);
                }
                apart.add(worst);
            }
        }
        // Without corrections, they would be 576 ms apart by now.
        assertThat(clocks.errorNanos()).isLessThan(2_000_000);
        assertThat(apart(agents, HOURS)).isLessThan(1_000_000);
        assertThat(clocks.worstNanos("a")).isBetween(1L, 2_000_000L);
    }

    /** Largest clock difference between two agents. */
    private static long apart(List<Agent> agents, long now) {
        long least = agents.stream().mapToLong(a -> a.wrong(now)).min().orElseThrow();
        return agents.stream().mapToLong(a -> a.wrong(now)).max().orElseThrow() - least;
    }

    @Test
    void correctsSingleAgentOnlyForLargeDeviations() {
        FleetClocks clocks = new FleetClocks(EPOCH_OFFSET);
        assertThat(clocks.look("a", new OffsetEstimate(5, 1_000, null))).hasValue(EPOCH_OFFSET - 5);
        assertThat(clocks.errorNanos()).isNull();
        assertThat(clocks.look("a", new OffsetEstimate(2_000, 1_000, null)))
                .as("not worth a message")
                .isEmpty();
        assertThat(clocks.look("a", new OffsetEstimate(9_000, 1_000, null))).hasValue(EPOCH_OFFSET - 9_000);
        assertThat(clocks.worstNanos("a")).isEqualTo(8_995 + 1_000);
    }
}
