package io.plimsoll.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.PlimsollException;
import io.plimsoll.capacity.CapacityPlan.Need;
import io.plimsoll.capacity.Target.Margin;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Brokers with planted costs and limits: the answer is the number of brokers that follows from them. */
class CapacityPlannerTest {
    private static final BrokerLimits CPU = BrokerLimits.parse("cpu 4");

    private static CapacityPlan plan(RunResult result, String target, Margin margin, BrokerLimits limits) {
        return CapacityPlanner.plan(result, Target.parse(target), margin, limits);
    }

    private static Need need(CapacityPlan plan, String id) {
        return plan.resources().stream()
                .filter(n -> n.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static int whole(double brokers) {
        return (int) Math.max(Math.floor(brokers), Math.ceil(0.95 * brokers));
    }

    /** The resource use of two of three brokers is not the cost of the load. */
    @Test
    void omitsResourcesNotReportedByAllBrokers() {
        PlantedCosts costs = PlantedCosts.of(3, 29.4e6, 30.3e6).cpu(0.3, 0.01);
        assertThat(plan(costs.result(), "70 MB/s", Margin.NONE, CPU).resources())
                .extracting(Need::id)
                .contains("cpu", "handlers");
        assertThat(plan(costs.unobserved(1).result(), "70 MB/s", Margin.NONE, CPU)
                        .resources())
                .extracting(Need::id)
                .containsExactly("ceiling");
    }

    /** A run includes its scenario, so the target can omit it. */
    @Test
    void takesReplicationFromTargetOrElseFromRun() {
        RunResult whole = PlantedCosts.of(3, 29.4e6, 30.3e6).result();
        RunResult copied = new RunResult(
                whole.head(),
                whole.tool(),
                whole.environment(),
                Map.of("topics", List.of(Map.of("name", "once"), Map.of("name", "thrice", "replication", 3))),
                whole.verdict(),
                whole.trials(),
                whole.published(),
                whole.ceilings());
        BrokerLimits small = BrokerLimits.parse("partitions 500");
        assertThat(need(plan(copied, "1 MB/s, 4000 partitions", Margin.NONE, small), "partitions")
                        .brokers())
                .isEqualTo(24);
        assertThat(need(plan(copied, "1 MB/s, 4000 partitions, replication 2", Margin.NONE, small), "partitions")
                        .brokers())
                .isEqualTo(16);
        assertThat(plan(copied, "1 MB/s", Margin.NONE, CPU).answer().brokers()).isEqualTo(3);
    }

    @Test
    void refusesPlanAbove10000Brokers() {
        RunResult result = PlantedCosts.of(3, 29.4e6, 30.3e6).result();
        assertThatThrownBy(() -> plan(result, "1000 GB/s", Margin.NONE, CPU))
                .isInstanceOf(PlimsollException.class)
                .hasMessageContaining("more than 10,000 brokers");
    }

    /** For example a small host filled by other programs: brokers carry a load anyway. */
    @Test
    void ignoresResourcesExhaustedWithoutLoad() {
        RunResult result = PlantedCosts.of(3, 29.4e6, 30.3e6).cpu(4.5, 0.01).result();
        CapacityPlan plan = plan(result, "70 MB/s", Margin.NONE, CPU);
        assertThat(plan.answer().brokers()).isEqualTo(7);
        assertThat(need(plan, "cpu").brokers()).isNull();
        assertThat(plan.assumptions())
                .extracting(Sentence::english)
                .anyMatch(a -> a.equals(Said.text("«capacity.fullWithoutLoad¦broker CPU»")));
    }

    @Test
    void strimziExportRequiresKnownCores() {
        CapacityPlan plan = plan(
                PlantedCosts.of(3, 29.4e6, 30.3e6).cpu(0.3, 0.01).withoutCores().result(),
                "70 MB/s",
                Margin.NONE,
                BrokerLimits.UNKNOWN);
        assertThatThrownBy(() -> new CapacityExport(plan).strimzi()).hasMessageContaining("--limits 'cpu 8'");
    }

    /** A search alone has no cost trials: its ceiling determines the record size. */
    @Test
    void recordTargetUsesRecordSizeAtCeiling() {
        RunResult whole = PlantedCosts.of(3, 29.4e6, 30.3e6).result();
        RunResult search = new RunResult(
                whole.head(),
                whole.tool(),
                whole.environment(),
                whole.scenario(),
                whole.verdict(),
                List.of(),
                whole.published(),
                whole.ceilings());
        assertThat(plan(search, "70000/s", Margin.NONE, CPU).answer().brokers()).isEqualTo(7);
        assertThat(plan(search, "70 MB/s", Margin.NONE, CPU).answer().brokers()).isEqualTo(7);
    }

    /** Three brokers with a quota of 10 MB/s each. */
    @Test
    void quotaBindsTargetWithOneBrokerDown() {
        RunResult result = PlantedCosts.of(3, 29.4e6, 30.3e6).cpu(0.3, 0.01).result();
        CapacityPlan plan = plan(result, "70 MB/s in", new Margin(0, 0, 0, 1), CPU);
        assertThat(plan.answer().brokers()).isEqualTo(8);
        assertThat(plan.answer().binding().english()).isEqualTo("client quota (at the ceiling)");
        assertThat(plan.answer().second().english()).isEqualTo("broker CPU");
        assertThat(plan.answer().sentence().english())
                .isEqualTo(
                        Said.text(
                                "«capacity.answer¦70 MB/s in¦¦¦«capacity.surviving¦1»¦8¦«capacity.range¦8¦8»¦client quota (at the ceiling)¦«capacity.second¦broker CPU»»"));
        assertThat(plan.assumptions())
                .extracting(Sentence::english)
                .anyMatch(a -> a.startsWith(Said.text("«capacity.otherCause¦1.11 GB/s»")));
        assertThat(plan(result, "70 MB/s", Margin.NONE, CPU).answer().brokers()).isEqualTo(7);
        assertThat(plan(result, "70000/s", Margin.NONE, CPU).answer().brokers()).isEqualTo(7);
        assertThat(plan(result, "70 MB/s, replication 9", Margin.NONE, CPU)
                        .answer()
                        .brokers())
                .isEqualTo(9);
    }

    /** 0.1 core without load, 0.05 core per MB/s: one broker of 4 cores carries 78 MB/s. */
    @Test
    void cpuBindsIfExhaustedFirst() {
        RunResult result =
                PlantedCosts.of(3, 300e6, 310e6).cpu(0.1, 0.05).handlers(0.002).result();
        CapacityPlan plan = plan(result, "390 MB/s, 2 groups", new Margin(0.25, 2, 0.2, 1), CPU);
        assertThat(need(plan, "cpu").carries().bytesPerSecond()).isCloseTo(78e6, within(1e4));
        assertThat(need(plan, "handlers").carries().bytesPerSecond()).isCloseTo(500e6, within(1e5));
        assertThat(need(plan, "handlers").carries().extrapolated()).isTrue();
        assertThat(plan.asked().neededBytesPerSecond()).isCloseTo(390e6 * 1.5625 / 0.8, within(1.0));
        assertThat(plan.answer().binding().english()).isEqualTo("broker CPU");
        assertThat(plan.answer().brokers()).isEqualTo(whole(390 * 1.5625 / 0.8 / 78) + 1);
        assertThat(plan.answer().second().english()).isEqualTo("client quota (at the ceiling)");
        assertThat(plan.predictions()).anySatisfy(p -> {
            assertThat(p.name().english()).isEqualTo("broker CPU");
            assertThat(p.error()).isCloseTo(0, within(1e-6));
        });
        assertThat(plan.predictions()).anySatisfy(p -> {
            assertThat(p.name().english()).isEqualTo(Said.text("«capacity.usedUp»"));
            assertThat(p.predicted()).isCloseTo(3 * 78e6, within(1e4));
            assertThat(p.measured()).isEqualTo(305e6);
        });
        assertThat(plan.assumptions())
                .extracting(Sentence::english)
                .noneMatch(a -> a.startsWith(Said.text("«capacity.noHeadroom»"))
                        || a.startsWith(Said.text("«capacity.otherCause»")));
    }

    /** 0.1 core without load, 0.5 ms per request of 10 KB plus half a KB per MB/s, 0.01 core per MB/s. */
    @Test
    void fullerBatchesCostLess() {
        RunResult result = PlantedCosts.of(3, 300e6, 310e6)
                .cpu(0.1, 0.01)
                .requests(0.01, 5e-4, 5e-4)
                .result();
        CapacityPlan plan = plan(result, "390 MB/s", Margin.NONE, BrokerLimits.parse("cpu 2"));
        Need cpu = need(plan, "cpu");
        double each = cpu.carries().bytesPerSecond() / 1e6;
        assertThat(0.1 + 0.01 * each + 5e-4 * each / (0.01 + 5e-4 * each)).isCloseTo(2, within(1e-3));
        assertThat(cpu.cost().parts().perRequest()).isCloseTo(5e-4, within(1e-6));
        assertThat(cpu.cost().parts().idle()).isCloseTo(0.3, within(1e-3));
        assertThat(cpu.cost().perMegabyte()).isCloseTo(0.0131, within(1e-4));
        assertThat(plan.measured().requests().bytes()).isCloseTo(10_000, within(1.0));
        assertThat(plan.measured().requests().bytesPerMegabyte() * 3).isCloseTo(500, within(1.0));
        assertThat(plan.predictions()).extracting(p -> p.name().english()).contains("requests", "broker CPU");
        assertThat(plan.predictions().subList(0, plan.predictions().size() - 1))
                .allSatisfy(p -> assertThat(p.error()).isCloseTo(0, within(1e-3)));
    }

    /**
     * 0.3 cores without load, 0.01 core per MB/s by brokers and the same by the generator, which spins on 0.7 cores: 4
     * cores carry 185 MB/s.
     */
    @Test
    void excludesGeneratorSpinningOnSharedHostFromCost() {
        RunResult result = PlantedCosts.of(3, 180e6, 190e6)
                .cpu(0.1, 0.01)
                .onOneHost(0.01, 0.7)
                .result();
        CapacityPlan plan = plan(result, "390 MB/s", Margin.NONE, BrokerLimits.UNKNOWN);
        assertThat(plan.predictions()).anySatisfy(p -> {
            assertThat(p.name().english()).isEqualTo(Said.text("«capacity.usedUpHere»"));
            assertThat(p.predicted()).isCloseTo(185e6, within(1e4));
        });
    }

    @Test
    void ignoresUnknownLimitsAndStatesThem() {
        RunResult open = PlantedCosts.of(3, 300e6, null).cpu(0, 0.001).result();
        CapacityPlan plan = plan(open, "600 MB/s, 4000 partitions", Margin.NONE, BrokerLimits.UNKNOWN);
        assertThat(plan.answer().brokers()).isEqualTo(6);
        assertThat(plan.answer().least()).isNull();
        assertThat(need(plan, "networkIn").brokers()).isNull();
        assertThat(plan.assumptions())
                .extracting(Sentence::english)
                .anyMatch(a -> a.startsWith(Said.text("«capacity.open»")))
                .anyMatch(a -> a.startsWith(Said.text("«capacity.networkUnknown»")))
                .anyMatch(a -> a.startsWith(Said.text("«capacity.partitionsUnknown»")));
        BrokerLimits small = BrokerLimits.parse("partitions 500, network 100MB/s");
        CapacityPlan limited = plan(open, "600 MB/s, 4000 partitions, replication 2", Margin.NONE, small);
        assertThat(limited.answer().binding().english()).isEqualTo("partitions");
        assertThat(limited.answer().brokers()).isEqualTo(16);
        assertThat(need(limited, "networkIn").brokers()).isCloseTo(6.06, within(0.1));
    }

    /** An interrupted trial measured only a part of its load. */
    @Test
    void predictsNothingFromInterruptedTrial() {
        RunResult whole = PlantedCosts.of(3, 29.4e6, 30.3e6).cpu(0.3, 0.01).result();
        List<TrialResult> trials = new ArrayList<>(whole.trials());
        trials.add(Timelines.interrupted(trials.remove(trials.size() - 1)));
        RunResult cut = new RunResult(
                whole.head(),
                whole.tool(),
                whole.environment(),
                whole.scenario(),
                whole.verdict(),
                trials,
                whole.published(),
                whole.ceilings());
        String cpu = "broker CPU";
        assertThat(plan(whole, "70 MB/s", Margin.NONE, CPU).predictions())
                .extracting(p -> p.name().english())
                .contains(cpu);
        assertThat(plan(cut, "70 MB/s", Margin.NONE, CPU).predictions())
                .extracting(p -> p.name().english())
                .doesNotContain(cpu);
    }

    @Test
    void refusesRunWithoutCeiling() {
        RunResult none = PlantedCosts.of(3, 1e6, 2e6).withoutCeiling();
        assertThatThrownBy(() -> plan(none, "1 MB/s", Margin.NONE, CPU))
                .isInstanceOf(PlimsollException.class)
                .hasMessageContaining(Said.text("«capacity.noSearch»"));
        RunResult nothing = PlantedCosts.of(3, null, 2e6).result();
        assertThatThrownBy(() -> plan(nothing, "1 MB/s", Margin.NONE, CPU))
                .hasMessageContaining(Said.text("«capacity.nothingPassed»"));
    }

    /** For any costs with 2 % noise, the interval contains the true number in nine of ten cases. */
    @Property(tries = 3)
    void intervalCoversTrueBrokerCount(
            @ForAll @DoubleRange(min = 0.02, max = 0.2) double slope, @ForAll @IntRange(min = 1, max = 3) int survive) {
        int within = 0;
        for (int seed = 0; seed < 50; seed++) {
            RunResult result = PlantedCosts.of(3, 900e6, 940e6)
                    .noise(0.02, new Random(seed))
                    .cpu(0.2, slope)
                    .result();
            CapacityPlan plan = plan(result, "900 MB/s", new Margin(0, 0, 0, survive), CPU);
            int truth = whole(900 / Math.min((4 - 0.2) / slope, 306.7)) + survive;
            within += plan.answer().least() <= truth && plan.answer().most() >= truth ? 1 : 0;
        }
        assertThat(within).isGreaterThanOrEqualTo(44);
    }

    @Test
    void exportsPlanForStrimziAndCruiseControl() {
        RunResult result = PlantedCosts.of(3, 29.4e6, 30.3e6).cpu(0.3, 0.01).result();
        CapacityPlan plan = plan(result, "70 MB/s in", Margin.NONE, CPU);
        assertThat(new CapacityExport(plan).strimzi())
                .contains("  cruiseControl:\n    brokerCapacity:\n      cpu: \"4.000\"\n      inboundNetwork: ")
                .containsPattern("inboundNetwork: \\d+KiB/s\n      outboundNetwork: \\d+KiB/s\n$");
        assertThatThrownBy(() -> new CapacityExport(plan).cruiseControl(CPU)).hasMessageContaining("storage");
        String json = new CapacityExport(plan).cruiseControl(BrokerLimits.parse("storage 1024GiB"));
        assertThatCode(() -> Json.MAPPER.readTree(json)).doesNotThrowAnyException();
        assertThat(json)
                .contains("\"brokerId\": \"-1\"")
                .contains("\"DISK\": \"1048576\"")
                .contains("{\"num.cores\": \"4.000\"}");
    }

    @Test
    void answersInChinese() {
        RunResult result = PlantedCosts.of(3, 29.4e6, 30.3e6).cpu(0.3, 0.01).result();
        CapacityPlan plan = plan(result, "70 MB/s in", new Margin(0.2, 2, 0.3, 1), CPU);
        assertThat(plan.answer().sentence().in(Language.ZH)).contains("需要").contains("容许 1 个");
    }

    /** Costs of a load with two copies and one group say nothing about other loads. */
    @Test
    void refusesTargetUnlikeMeasuredLoad() {
        RunResult measured = PlantedCosts.of(3, 29.4e6, 30.3e6).copied("2, 1").result();
        for (String other : List.of("10 MB/s, replication 3", "10 MB/s, 5 groups")) {
            assertThatThrownBy(() -> CapacityPlanner.requireAlike(measured, Target.parse(other)))
                    .hasMessageContaining(Said.text("«capacity.otherTarget¦" + other + "»"));
        }
        CapacityPlanner.requireAlike(measured, Target.parse("10 MB/s, replication 2"));
        assertThat(plan(measured, "1 MB/s, replication 2", Margin.NONE, CPU)
                        .answer()
                        .brokers())
                .isEqualTo(2);
    }

    /** The scenario does not have the replication of existing topics. */
    @Test
    void countsReplicasOfMeasuredTopics() {
        RunResult measured = PlantedCosts.of(3, 29.4e6, 30.3e6).copied("3").result();
        BrokerLimits small = BrokerLimits.parse("partitions 500");
        assertThat(need(plan(measured, "1 MB/s, 4000 partitions", Margin.NONE, small), "partitions")
                        .brokers())
                .isEqualTo(24);
    }
}
