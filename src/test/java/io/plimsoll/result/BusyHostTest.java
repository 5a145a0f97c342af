package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.result.Timelines.Second;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The use of the host by other programs is reported with the figures that prove it, and with no other figures. */
class BusyHostTest {
    /** Records take 1 ms, and are sent 20 µs late; the generator uses half a core. */
    private static TrialResult trial(boolean openLoop, Map<String, Object> host, List<Map<String, Object>> brokers) {
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            seconds.add(new Second(2000, Timelines.latencies(2000, 1000)));
        }
        TrialResult t = Timelines.oneTrial(
                        Timelines.plan(openLoop, 1, 0), seconds, Timelines.trialEnded("one", 10, 1000, 0))
                .trials()
                .get(0);
        return Timelines.with(
                t,
                new TrialResult.Observed(
                        new Generator(
                                new Generator.Cpu(5, 0.5, 1.0, null),
                                new Generator.Ticks(0, 0, 0),
                                0,
                                0,
                                false,
                                null,
                                null),
                        brokers,
                        host,
                        Map.of(),
                        Map.of(),
                        List.of(),
                        List.of(),
                        List.of()),
                t.detail());
    }

    private static Map<String, Object> host(double cpu, double steal, double waited) {
        return new TreeMap<>(Map.of("cores", 4.0, "cpu", cpu, "steal", steal, "cpuStall", waited));
    }

    private static List<String> said(TrialResult trial) {
        return BusyHost.of(trial).stream().map(Sentence::english).toList();
    }

    @Test
    void excludesLocalBrokersFromOtherPrograms() {
        List<Map<String, Object>> brokers =
                List.of(Map.of("id", 1, "sources", List.of("jmx", "proc"), "cpu", 1.2), Map.of("id", 2, "cpu", 0.7));
        assertThat(BusyHost.others(trial(true, host(1.9, 0.1, 0), brokers))).isCloseTo(0.3, within(1e-9));
        assertThat(said(trial(true, host(1.9, 0.1, 0.5), brokers))).isEmpty();
    }

    @Test
    void reportsEvidenceOfBusyHost() {
        assertThat(said(trial(true, host(2.5, 0, 0.02), List.of())))
                .containsExactly(
                        Sentence.of("result.busyHost", "2.00", "4", Sentence.NONE, Sentence.of("result.busyNowhere"))
                                .english());
        assertThat(said(trial(true, host(2.5, 0.5, 0.3), List.of())))
                .containsExactly(Sentence.of(
                                "result.busyHost",
                                "2.50",
                                "4",
                                Sentence.of("result.stolen", "0.50"),
                                Sentence.of("result.busyWhere", Sentence.of("result.busyWaits", "30 %")))
                        .english());
        assertThat(said(trial(false, host(3.8, 0, 0), List.of())))
                .containsExactly(Sentence.of(
                                "result.busyHost",
                                "3.30",
                                "4",
                                Sentence.NONE,
                                Sentence.of("result.busyWhere", Sentence.of("result.busyThroughput", "95 %")))
                        .english());
    }

    @Test
    void reportsNothingWithoutHostFigures() {
        assertThat(BusyHost.others(trial(true, Map.of(), List.of()))).isNull();
        assertThat(said(trial(true, Map.of(), List.of()))).isEmpty();
    }
}
