package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Observation;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Figures of a topic are those of all brokers together. */
class TopicCountsTest {
    private static final long SECOND = 1_000_000_000L;

    private static Observation seen(int broker, double a, double b) {
        return new Observation(
                "broker " + broker,
                "jmx",
                0,
                SECOND,
                Map.of("topic:bytesIn:a", a, "topic:bytesIn:b:c", b, "bytesIn", a + b, "seconds", 1.0),
                Map.of());
    }

    @Test
    void whatBrokersCountIsAddedUpAndTakenOutOfTheirOwn() {
        TopicCounts tally = new TopicCounts(List.of("a", "b:c"));
        assertThat(tally.take(seen(1, 5, 7)).sums()).isEqualTo(Map.of("bytesIn", 12.0, "seconds", 1.0));
        tally.take(seen(2, 10, 20));
        List<Observation> first = tally.look(SECOND, Map.of("a", 1000L));
        assertThat(first).extracting(Observation::what).containsExactly("topic a", "topic b:c");
        assertThat(first.get(0).sums()).isEqualTo(Map.of("bytesIn", 15.0, "seconds", 1.0));
        assertThat(first.get(1).sums()).isEqualTo(Map.of("bytesIn", 27.0, "seconds", 1.0));
        assertThat(tally.look(2 * SECOND, Map.of())).isEmpty();
        Observation grown = tally.look(6 * SECOND, Map.of("a", 1500L)).get(0);
        assertThat(grown.sums()).isEqualTo(Map.of("logGrowth", 500.0, "logSeconds", 5.0));
        assertThat(grown.gauges()).isEqualTo(Map.of("logBytes", 1500.0));
    }

    @Test
    void ofVeryManyNoneIsAskedFor() {
        assertThat(new TopicCounts(IntStream.range(0, 21).mapToObj(i -> "t" + i).toList()).topics())
                .isEmpty();
    }
}
