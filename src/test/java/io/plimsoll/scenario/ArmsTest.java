package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.testing.Said;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two sides of a comparison differ only in the requested setting. */
class ArmsTest {
    private static final String SCENARIO = """
        name: orders
        topics: [{name: orders, partitions: 3}]
        producers: [{topic: orders, rate: 1000/s, config: {acks: all}}]
        duration: 10s
        """;

    private static Plan plan(String scenario, String ab, int pairs) {
        List<String> overrides = ABVariants.overrides(ab);
        List<Plan> plans = overrides.stream()
                .map(o -> ScenarioReader.read(scenario, "orders.yaml", List.of(o), 1))
                .toList();
        return ABVariants.inTurns(plans, overrides, pairs);
    }

    @Test
    void alternatesSidesAndReversesTheirOrder() {
        Plan plan = plan(SCENARIO, "producers[0].config.acks=1|all", 4);
        assertThat(plan.trials())
                .extracting(Plan.Trial::name)
                .containsExactly(
                        "0A acks=1",
                        "1A acks=1",
                        "1B acks=all",
                        "2B acks=all",
                        "2A acks=1",
                        "3A acks=1",
                        "3B acks=all",
                        "4B acks=all",
                        "4A acks=1");
        Plan.Trial third = plan.trials().get(3);
        assertThat(third.parameters())
                .containsEntry("arm", "B: producers[0].config.acks=all")
                .containsEntry("pair", "2");
        assertThat(third.scenario().producers().get(0).config()).containsEntry("acks", "all");
        assertThat(plan.trials().get(4).scenario().producers().get(0).config()).containsEntry("acks", "1");
    }

    @Test
    void refusesValuesThatYieldDifferentTrials() {
        String matrix = SCENARIO + "matrix: {\"topics[0].partitions\": [1, 3]}\n";
        for (String values : List.of("[1, 3]|[2]", "[2]|[1, 3]")) {
            assertThatThrownBy(() -> plan(matrix, "matrix.topics[0].partitions=" + values, 1))
                    .isInstanceOf(PlimsollException.class)
                    .hasMessageContaining(Said.text("«scenario.unlikeTrials»"));
        }
    }

    @Test
    void repeatsEveryTrialOfAMatrix() {
        Plan plan = plan(SCENARIO + "matrix: {\"topics[0].partitions\": [1, 3]}\n", "producers[0].rate=10/s|20/s", 1);
        assertThat(plan.trials()).hasSize(5);
        assertThat(plan.trials().get(3).name()).startsWith("1A rate=10/s · ");
        assertThat(ABVariants.cell(plan.trials().get(3).name())).contains("partitions=3");
        assertThat(plan.trials())
                .extracting(t -> t.parameters().get("topics[0].partitions"))
                .containsExactly("1", "1", "1", "3", "3");
    }

    @Test
    void comparesMoreThanTwoValues() {
        assertThat(plan(SCENARIO, "producers[0].config.acks=0|1|all", 2).trials())
                .extracting(Plan.Trial::name)
                .containsExactly(
                        "0A acks=0", "1A acks=0", "1B acks=1", "1C acks=all", "2C acks=all", "2B acks=1", "2A acks=0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"acks", "=1|2", "acks=1", "acks=1|", "acks=1|1", ""})
    void refusesMalformedComparison(String ab) {
        assertThatThrownBy(() -> ABVariants.overrides(ab))
                .isInstanceOf(PlimsollException.class)
                .extracting(e -> ((PlimsollException) e).exit())
                .isEqualTo(Exit.USAGE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1001})
    void refusesInvalidNumberOfPairs(int pairs) {
        assertThatThrownBy(() -> plan(SCENARIO, "producers[0].config.acks=0|1", pairs))
                .hasMessageContaining(Said.text("«scenario.pairs¦1000»"));
    }
}
