package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.run.TrialObservation.StableOffsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Records blocked for read_committed consumers: number and duration. */
class StableOffsetsTest {
    private static final TopicPartition ONE = new TopicPartition("t", 0);
    private static final TopicPartition OTHER = new TopicPartition("t", 1);

    private final StableOffsets offsets = new StableOffsets();
    private long seconds;

    private Map<String, Double> look(long end, long stable, long otherEnd, long otherStable) {
        Map<String, Double> gauges = new HashMap<>();
        offsets.look(
                Map.of(ONE, end, OTHER, otherEnd),
                Map.of(ONE, stable, OTHER, otherStable),
                seconds++ * 1_000_000_000L,
                gauges);
        return gauges;
    }

    @Test
    void reportsDurationAndRecordsOfOpenTransaction() {
        assertThat(look(100, 100, 50, 50)).isEqualTo(Map.of("openRecords", 0.0, "stuckSeconds", 0.0));
        // One commits each second, the other one's transaction stays open.
        assertThat(look(120, 110, 70, 50)).isEqualTo(Map.of("openRecords", 30.0, "stuckSeconds", 0.0));
        assertThat(look(140, 130, 90, 50)).isEqualTo(Map.of("openRecords", 50.0, "stuckSeconds", 1.0));
        assertThat(look(160, 150, 110, 50)).isEqualTo(Map.of("openRecords", 70.0, "stuckSeconds", 2.0));
        assertThat(look(160, 160, 110, 110)).isEqualTo(Map.of("openRecords", 0.0, "stuckSeconds", 0.0));
        assertThat(look(180, 170, 110, 110)).isEqualTo(Map.of("openRecords", 10.0, "stuckSeconds", 0.0));
    }
}
