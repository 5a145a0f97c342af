package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.report.Look;
import io.plimsoll.report.RunReport;
import io.plimsoll.result.Scaling.Step;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.text.Language;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Speed-up and efficiency match the planted ones, and are shown only if a single number varies. */
class ScalingTest {
    private static final int SECONDS = 10;

    /** A run of closed loops, by their parameters, each with its records per second. */
    private static RunResult run(Map<Map<String, String>, Long> planted, boolean paced) {
        List<TimelineEvent> events = new ArrayList<>();
        events.add(Timelines.runStarted("scaled"));
        planted.forEach((parameters, perSecond) -> {
            String name = parameters.toString();
            Second second = new Second(perSecond, Timelines.latencies(perSecond, 1000));
            List<TimelineEvent> trial = new ArrayList<>(
                    Timelines.trial(name, Timelines.plan(paced), List.of(), Collections.nCopies(SECONDS, second)));
            TimelineEvent.TrialStarted started = (TimelineEvent.TrialStarted) trial.get(0);
            trial.set(
                    0, new TimelineEvent.TrialStarted(name, started.at(), parameters, started.plan(), started.setup()));
            events.addAll(trial);
            events.add(Timelines.trialEnded(name, SECONDS, perSecond * SECONDS, 0));
        });
        return Fold.fold(events.stream());
    }

    private static Map<String, String> of(String key, String value, String... more) {
        Map<String, String> parameters = new LinkedHashMap<>(Map.of(key, value));
        for (int i = 0; i < more.length; i += 2) {
            parameters.put(more[i], more[i + 1]);
        }
        return parameters;
    }

    /** Zero brokers mean that the cluster places the partitions. */
    @Test
    void ignoresZero() {
        Map<Map<String, String>, Long> planted = new LinkedHashMap<>();
        planted.put(of("topics.brokers", "0"), 900L);
        planted.put(of("topics.brokers", "3"), 1200L);
        assertThat(Scaling.of(run(planted, false))).isEmpty();
        planted.put(of("topics.brokers", "6"), 1800L);
        assertThat(Scaling.of(run(planted, false))).singleElement().satisfies(scaling -> assertThat(scaling.steps())
                .extracting(Step::number)
                .containsExactly(3, 6));
    }

    @Test
    void matchesPlantedSpeedUpOverSmallest() {
        Map<Map<String, String>, Long> planted = new LinkedHashMap<>();
        planted.put(of("lab.brokers", "6"), 9_000L);
        planted.put(of("lab.brokers", "1"), 2_000L);
        planted.put(of("lab.brokers", "3"), 6_000L);
        Scaling scaling = Scaling.of(run(planted, false)).get(0);
        assertThat(scaling.what()).isEqualTo("brokers");
        assertThat(scaling.steps()).extracting(Step::number).containsExactly(1, 3, 6);
        assertThat(scaling.steps().get(1).speedUp()).isCloseTo(3, within(1e-6));
        assertThat(scaling.steps().get(1).efficiency()).isCloseTo(1, within(1e-6));
        assertThat(scaling.steps().get(2).speedUp()).isCloseTo(4.5, within(1e-6));
        assertThat(scaling.steps().get(2).efficiency()).isCloseTo(0.75, within(1e-6));
    }

    @Test
    void appearsInReports() {
        Map<Map<String, String>, Long> planted = new LinkedHashMap<>();
        planted.put(of("producers.clients", "2"), 2_000L);
        planted.put(of("producers.clients", "4"), 3_000L);
        RunResult result = run(planted, false);
        assertThat(RunReport.terminal(result, new Look(120, false, Language.EN)))
                .contains("Scaling")
                .containsPattern("clients = 4 +3,000 +1.50 × +75 %");
        assertThat(RunReport.markdown(result, Language.ZH)).contains("## 扩展").contains("1.50 ×");
    }

    @Test
    void comparesEntriesSetAsWhole() {
        String entry = "[{topic: one, clients: %d, threads: 16, records: %s, config: {acks: %s}}]";
        Map<Map<String, String>, Long> planted = new LinkedHashMap<>();
        planted.put(of("producers", entry.formatted(1, "80M", "1")), 1_000L);
        planted.put(of("producers", entry.formatted(2, "160M", "1")), 1_500L);
        planted.put(of("producers", entry.formatted(3, "240M", "0")), 9_000L);
        List<Scaling> all = Scaling.of(run(planted, false));
        assertThat(all).hasSize(1);
        assertThat(all.get(0).steps()).extracting(Step::speedUp).containsExactly(1.0, 1.5);
    }

    @Test
    void omitsScheduledLoadsAndSeveralVaryingSettings() {
        Map<Map<String, String>, Long> planted = new LinkedHashMap<>();
        planted.put(of("topics.partitions", "1"), 1_000L);
        planted.put(of("topics.partitions", "2"), 1_000L);
        assertThat(Scaling.of(run(planted, true))).isEmpty();
        planted.clear();
        planted.put(of("producers.config.acks", "1", "topics.partitions", "1"), 1_000L);
        planted.put(of("producers.config.acks", "0", "topics.partitions", "2"), 1_000L);
        assertThat(Scaling.of(run(planted, false))).isEmpty();
    }
}
