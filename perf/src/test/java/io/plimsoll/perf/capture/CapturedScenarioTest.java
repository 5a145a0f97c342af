package io.plimsoll.perf.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.perf.capture.shape.CapturedText;
import io.plimsoll.perf.capture.shape.TopicShape;
import io.plimsoll.perf.capture.shape.TopicTally;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A captured load is never lost, even if its scenario needs a correction. */
class CapturedScenarioTest {
    /** The limit of the topic was lowered after these records. */
    @Test
    void keepsInvalidScenarioWithItsProblems() {
        TopicTally tally = new TopicTally(100);
        for (int i = 0; i < 10; i++) {
            tally.keys.none();
            tally.record(2000, 0, 0, 0);
            tally.batch("none", 1, 2100, 2100, false);
        }
        TopicShape.Layout layout = new TopicShape.Layout(1, new TreeMap<>(Map.of("max.message.bytes", "1000")));
        TopicShape shape = tally.shape("orders", layout, new long[] {10}, 10, new long[] {10});
        Capture.Captured captured =
                new Capture.Captured(List.of(shape), Map.of(), Map.of(), Duration.ofSeconds(10), Instant.EPOCH, 21_000);
        String text = CapturedScenario.of(captured, new CapturedText(captured.window(), 1, Language.EN), null);
        assertThat(text.lines())
                .filteredOn(line -> line.startsWith("# captured:"))
                .singleElement()
                .asString()
                .containsPattern(Said.en("scenario.largerThanMessage", null, "orders", 1000));
        assertThat(CapturedScenario.shapes(text, "captured")).containsExactly(shape);
    }
}
