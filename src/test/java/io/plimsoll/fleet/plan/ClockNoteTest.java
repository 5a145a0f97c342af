package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.ConsumeCounts;
import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.ProduceCounts;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.Window;
import io.plimsoll.measure.WireCounts;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ClockNoteTest {
    private final ClockNote note = new ClockNote();

    private void read(long micros) {
        Histogram one = new Histogram(1, Latencies.HIGHEST_MICROS, Latencies.DIGITS);
        one.recordValue(micros);
        ConsumeCounts counts = new ConsumeCounts(1, 0, 1, 0, Latencies.of(one), 0, Map.of(), Map.of());
        Window measured = new Window(ProduceCounts.ZERO, counts);
        note.add(new Snapshot(
                "a",
                "t",
                0,
                Phase.MEASURE,
                0,
                1,
                measured,
                measured,
                WireCounts.ZERO,
                GeneratorSample.ZERO,
                Map.of(),
                Map.of()));
    }

    @Test
    void anErrorThatMattersIsSaidWithTheSumOfBothClocks() {
        note.error(100_000);
        note.error(300_000);
        read(1_000);
        assertThat(note.sentence()).hasValueSatisfying(s -> assertThat(s).contains("±0.600 ms"));
    }

    @Test
    void anErrorThatIsSmallAgainstTheMedianIsNot() {
        note.error(20_000);
        read(1_000);
        assertThat(note.sentence()).isEmpty();
    }

    @Test
    void withoutConsumersThereIsNothingToSay() {
        note.error(1_000_000_000);
        assertThat(note.sentence()).isEmpty();
    }
}
