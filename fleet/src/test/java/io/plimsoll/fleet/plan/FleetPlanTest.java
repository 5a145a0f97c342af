package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.plan.FleetPlan.PlannedHost;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.result.Calibrations.CalibratedLimit.Point;
import io.plimsoll.fleet.plan.FleetPlan.PlanTarget;
import io.plimsoll.text.Sentence;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A plan has the least number of agents that send a load with the headroom, or says what to calibrate. */
class FleetPlanTest {
    private static PlanTarget target(double recordsPerSecond, int recordBytes) {
        return new PlanTarget(recordsPerSecond, recordBytes, "client", 0.3);
    }

    private static PlannedHost host(String name, String card, Point... points) {
        return new PlannedHost(name, 4, card, points.length == 0 ? null : new CalibratedLimit(List.of(points)));
    }

    private static List<String> keys(FleetPlan plan) {
        return plan.lines().stream().map(Sentence::key).toList();
    }

    @Test
    void roundsAgentsUpAndKeepsHeadroom() {
        PlannedHost host = host("a", null, new Point(1000, 100_000));
        assertThat(FleetPlan.of(target(70_000, 1000), List.of(host), false).agents())
                .isEqualTo(1);
        FleetPlan plan = FleetPlan.of(target(70_001, 1000), List.of(host), false);
        assertThat(plan.agents()).isEqualTo(2);
        assertThat(plan.clients()).isEqualTo(8);
        assertThat(plan.fleet()).isNull();
        assertThat(keys(plan)).contains("fleet.plan.networkUnknown").doesNotContain("fleet.plan.present");
    }

    @Test
    void networkCanBeLimit() {
        PlannedHost host = host("a", "eth0 1000 Mbit/s", new Point(1000, 1e6));
        FleetPlan plan = FleetPlan.of(target(175_000, 1000), List.of(host), false);
        assertThat(plan.perAgent().network()).isEqualTo(125_000.0);
        assertThat(plan.agents()).isEqualTo(2);
        assertThat(keys(plan)).contains("fleet.plan.network");
    }

    @Test
    void countsMissingAgentsByWeakestOne() {
        List<PlannedHost> fleet = List.of(
                host("strong", null, new Point(1000, 200_000)), host("weak", null, new Point(1000, 100_000)));
        FleetPlan enough = FleetPlan.of(target(210_000, 1000), fleet, true);
        assertThat(enough.perAgent().name()).isEqualTo("weak");
        assertThat(enough.agents()).isEqualTo(3);
        assertThat(enough.fleet().usable()).isEqualTo(210_000, within(1e-6));
        assertThat(enough.fleet().missing()).isZero();
        FleetPlan lacking = FleetPlan.of(target(300_000, 1000), fleet, true);
        assertThat(lacking.fleet().missing()).isEqualTo(2);
        assertThat(keys(lacking)).contains("fleet.plan.missing");
    }

    @Test
    void interpolatesOnlyBetweenMeasuredSizes() {
        PlannedHost host = host("a", null, new Point(100, 400_000), new Point(1000, 100_000));
        // The time per record grows from 2.5 to 10 µs: 5.833 µs at 500 B.
        assertThat(FleetPlan.of(target(1, 500), List.of(host), false).perAgent().calibrated())
                .isEqualTo(1e6 / (2.5 + 7.5 * 400 / 900), within(1.0));
        assertThatThrownBy(() -> FleetPlan.of(target(1, 2000), List.of(host), false))
                .isInstanceOfSatisfying(PlimsollException.class, e -> {
                    assertThat(e.exit()).isEqualTo(Exit.USAGE);
                    assertThat(e.sentence().key()).isEqualTo("fleet.plan.uncalibrated");
                    assertThat(e.sentence().arguments()).endsWith("client", "2000");
                    assertThat(e.sentence().english())
                            .contains(Sentence.of("fleet.plan.hostWith", "a", List.of(100, 1000))
                                    .english());
                });
    }

    @Test
    void namesUncalibratedAgents() {
        List<PlannedHost> fleet = List.of(host("a", null, new Point(1000, 1)), host("b", null), host("c", null));
        assertThatThrownBy(() -> FleetPlan.of(target(1, 1000), fleet, true))
                .isInstanceOfSatisfying(PlimsollException.class, e -> {
                    assertThat(e.sentence().key()).isEqualTo("fleet.plan.agentsUncalibrated");
                    assertThat(e.sentence().arguments().get(0))
                            .isEqualTo(Sentence.list(List.of("b", "c"), 3));
                });
    }
}
