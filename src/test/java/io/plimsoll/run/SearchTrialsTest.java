package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.capacity.CapacityPlan;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.search.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
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

    /** Brokers would reject larger batches, and then no costs are known. */
    @Test
    void fullerBatchesFitTopic() {
        Plan.Trial cell = ScenarioReader.read(
                        "topics: [{name: t, config: {max.message.bytes: 40000}}]\n"
                                + "producers: [{topic: t, rate: 1/s}]\nduration: 1s\n",
                        "small",
                        List.of(),
                        1)
                .trials()
                .get(0);
        Plan.Trial fuller = new SearchTrials(cell, List.of(), Rate.Unit.RECORDS, false)
                .cost(new Step(Step.Kind.CURVE, 1, 10), 1, Warmup.NO_TIME, CapacityPlan.FULLER);
        assertThat(fuller.scenario().producers().get(0).config()).containsEntry("batch.size", "40000");
    }

    /** The limits of a shared cluster apply to the load of the search, which replaces the load of the scenario. */
    @Test
    void largestTrialHasHighestLoadAndGreatestLengthOfSearch() {
        Plan soak = ScenarioReader.read(
                "topics: [{name: t}]\nproducers: [{topic: t, rate: 1GB/s}]\nduration: 24h\n", "soak", List.of(), 1);
        CeilingRequest request = new CeilingRequest(
                Optional.empty(),
                Rate.Unit.PAYLOAD_BYTES,
                1000,
                OptionalDouble.of(50e6),
                0.05,
                Optional.empty(),
                new CeilingRequest.Lengths(Duration.ofSeconds(10), Duration.ofSeconds(20), 3),
                CeilingRequest.Extras.NONE);
        assertThat(SearchTrials.largest(soak, request).trials()).singleElement().satisfies(trial -> {
            assertThat(trial.scenario().producers().get(0).rate())
                    .isEqualTo(new Rate.Constant(new Rate.Quantity(50e6, Rate.Unit.PAYLOAD_BYTES)));
            assertThat(trial.scenario().duration()).isEqualTo(Duration.ofSeconds(20));
        });
    }
}
