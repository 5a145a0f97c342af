package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.scenario.ScenarioReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guards what a trial is recorded to be: whoever looks beside the load looks for as long as that is measured. */
class TrialSetupTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "30 | {topic: t}",
                "120 | {topic: t, duration: 2m}",
                "120 | {topic: t, duration: 2m}, {topic: t, duration: 10s}",
                "30 | {topic: t, duration: 10s}, {topic: t}",
                "10 | {topic: t, duration: 10s}"
            })
    void theWindowIsThatOfTheProducersThatGoOnForLongest(double seconds, String producers) {
        String yaml = "topics: [{name: t}]\nproducers: [" + producers + "]\nduration: 30s\n";
        LoadContext context = new LoadContext(Map.of("bootstrap.servers", "127.0.0.1:1"), "test", 1, 1, text -> {});
        TrialPlan plan = new TrialSetup(
                        ScenarioReader.read(yaml, "test", List.of(), 1)
                                .trials()
                                .get(0)
                                .scenario(),
                        context,
                        null)
                .plan(EndToEndSource.STAMP, Map.of(), false, null);
        assertThat(plan.course().plannedSeconds()).isEqualTo(seconds);
    }
}
