package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Figures of faults, and the CPU cost of brokers, equal the fields of a stored run with faults. */
class FaultFiguresTest {
    private static JsonNode stored;
    private static TrialResult trial;

    @BeforeAll
    static void aStoredRunWithFaults() throws IOException {
        try (GZIPInputStream in =
                new GZIPInputStream(FaultFiguresTest.class.getResourceAsStream("/runs/faults.result.json.gz"))) {
            JsonNode result = Json.MAPPER.readTree(in);
            stored = result.at("/trials/0");
            trial = Json.MAPPER.treeToValue(result, RunResult.class).trials().get(0);
        }
    }

    /** In microseconds, from the seconds that each fault stores. */
    private static double longest(String... paths) {
        DoubleStream all = StreamSupport.stream(stored.get("faults").spliterator(), false)
                .filter(fault -> Arrays.stream(paths).allMatch(p -> fault.at(p).isNumber()))
                .mapToDouble(fault -> fault.at(paths[0]).asDouble()
                        - (paths.length > 1 ? fault.at(paths[1]).asDouble() : 0));
        return all.max().orElseThrow() * 1e6;
    }

    @Test
    void faultTimesMatchStoredRun() {
        assertThat(FigureCatalogue.value(trial, "fault.inSync")).isCloseTo(longest("/isrFullSeconds"), within(1.0));
        assertThat(FigureCatalogue.value(trial, "fault.duration")).isCloseTo(longest("/over", "/asked"), within(1.0));
    }

    @Test
    void cpuPerMegabyteMatchesStoredRun() {
        double cores = StreamSupport.stream(stored.get("brokers").spliterator(), false)
                .mapToDouble(broker -> broker.get("cpu").asDouble())
                .sum();
        double bytes = stored.at("/produce/bytesPerSecond").asDouble()
                + stored.at("/consume/bytesPerSecond").asDouble();
        assertThat(cores).isPositive();
        assertThat(FigureCatalogue.value(trial, "cluster.cpuPerMB")).isCloseTo(cores / bytes * 1e12, within(1.0));
    }
}
