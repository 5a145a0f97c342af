package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Observation;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Guards that all observations reach the result, including a figure without a row in the fold. */
class ObservationFoldTest {
    private static Observation seen(String what, String source, Map<String, Double> sums, Map<String, Double> gauges) {
        return new Observation(what, source, 0, 1_000_000_000, sums, gauges);
    }

    @Test
    void keepsUnknownFiguresUnderTheirNames() {
        ObservationFold fold = new ObservationFold(0, 0);
        for (double gauge : new double[] {2, 4}) {
            fold.accept(seen("broker 1", "jmx", Map.of("seconds", 2.0, "recompressed", 10.0), Map.of("slots", gauge)));
            fold.accept(seen(
                    "producers-0",
                    "client",
                    Map.of("clientSeconds", 4.0, "retriedBatches", 10.0),
                    Map.of("buckets", gauge)));
            fold.accept(seen("host", "proc", Map.of("seconds", 1.0, "swapped", 7.0), Map.of("temperature", gauge)));
        }
        // Repeatedly, during a trial and after it.
        for (int i = 0; i < 2; i++) {
            assertThat(fold.brokers().get(0)).containsEntry("recompressed", 5.0).containsEntry("slots", 3.0);
            assertThat(fold.clients().get("producers-0"))
                    .containsExactlyInAnyOrderEntriesOf(Map.of("seconds", 8.0, "retriedBatches", 2.5, "buckets", 3.0));
            assertThat(fold.host()).containsEntry("swapped", 7.0).containsEntry("temperature", 3.0);
        }
    }
}
