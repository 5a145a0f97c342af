package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A trial of a search is the user's scenario at another load. */
class SearchTrialsTest {
    /** The two trials of {@code quick} differ in rate and length, which a search sets itself: one cell per size. */
    @Test
    void cellsHaveOnlyDistinguishingParameters() {
        Plan plan = ScenarioReader.read(
                BuiltIns.text("quick").orElseThrow(),
                "quick",
                List.of("matrix={producers.record.size: [100, 1000], producers.config.acks: [all]}"),
                1);
        assertThat(plan.trials()).hasSize(4);
        assertThat(SearchTrials.cells(plan).cells())
                .extracting(cell -> cell.parameters().toString())
                .containsExactly("{producers.record.size=100}", "{producers.record.size=1000}");
    }
}
