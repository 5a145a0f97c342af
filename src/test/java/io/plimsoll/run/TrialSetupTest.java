package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.scenario.ScenarioReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The recorded setup of a trial: length of the window, and consumer groups. */
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
    void windowIsThatOfLongestProducer(double seconds, String producers) {
        String load = "producers: [" + producers + "]\nduration: 30s\n";
        assertThat(plan(load).course().plannedSeconds()).isEqualTo(seconds);
    }

    @Test
    void eachGroupHasMembersOfItsEntries() {
        TrialPlan plan = plan("""
            consumers:
              - {topic: t, members: 2, groups: 2}
              - {topic: t, members: 5, config: {group.id: shared}}
              - {topic: t, members: 1, config: {group.id: shared}}
            """);
        assertThat(plan.consuming().members())
                .isEqualTo(Map.of("test-consumers-0-group-0", 2, "test-consumers-0-group-1", 2, "shared", 6));
    }

    private static TrialPlan plan(String load) {
        LoadContext context = new LoadContext(Map.of("bootstrap.servers", "127.0.0.1:1"), "test", 1, 1, text -> {});
        return new TrialSetup(
                        ScenarioReader.read("topics: [{name: t}]\n" + load, "test", List.of(), 1)
                                .trials()
                                .get(0)
                                .scenario(),
                        context,
                        null)
                .plan(EndToEndSource.STAMP, Map.of(), false, null);
    }
}
