package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Figures of a topic are those of all brokers together. */
class TopicCountsTest {
    private static final long SECOND = 1_000_000_000L;

    private static Observation seen(int broker, int from, int to, double a, double b) {
        return new Observation(
                "broker " + broker,
                "jmx",
                from * SECOND,
                to * SECOND,
                Map.of("topic:bytesIn:a", a, "topic:bytesIn:b:c", b, "bytesIn", a + b, "seconds", (double) (to - from)),
                Map.of());
    }

    @Test
    void whatBrokersCountIsAddedUpAndTakenOutOfTheirOwn() {
        TopicCounts tally = new TopicCounts(List.of("a", "b:c"));
        assertThat(tally.take(seen(1, 0, 1, 5, 7)).sums()).isEqualTo(Map.of("bytesIn", 12.0, "seconds", 1.0));
        tally.take(seen(2, 0, 1, 10, 20));
        List<Observation> first = tally.look(SECOND, Map.of("a", 1000L));
        assertThat(first).extracting(Observation::what).containsExactly("topic a", "topic b:c", "topic a");
        assertThat(first.get(0).sums()).isEqualTo(Map.of("bytesIn", 15.0, "seconds", 1.0));
        assertThat(first.get(1).sums()).isEqualTo(Map.of("bytesIn", 27.0, "seconds", 1.0));
        assertThat(first.get(2).gauges()).isEqualTo(Map.of("logBytes", 1000.0));
        assertThat(tally.look(2 * SECOND, Map.of())).isEmpty();
        Observation grown = tally.look(6 * SECOND, Map.of("a", 1500L)).get(0);
        assertThat(grown.sums()).isEqualTo(Map.of("logGrowth", 500.0, "logSeconds", 5.0));
        assertThat(grown.gauges()).isEqualTo(Map.of("logBytes", 1500.0));
    }

    /** On a busy machine brokers answer late and the topics are looked at late: a topic's rate is that of its brokers all the same. */
    @Test
    void whatComesLateCountsInItsOwnTime() {
        TopicCounts tally = new TopicCounts(List.of("a", "b:c"));
        List<Observation> all = new ArrayList<>(tally.look(SECOND, Map.of()));
        tally.take(seen(1, 0, 1, 100, 0));
        all.addAll(tally.look(2 * SECOND, Map.of()));
        all.addAll(tally.look(3 * SECOND, Map.of()));
        tally.take(seen(1, 1, 2, 100, 0));
        tally.take(seen(1, 2, 3, 100, 0));
        tally.take(seen(2, 0, 3, 300, 0));
        all.addAll(tally.look(4 * SECOND, Map.of()));
        tally.take(seen(2, 2, 3, 0, 0));
        all.addAll(tally.look(5 * SECOND, Map.of()));
        List<Observation> ofA =
                all.stream().filter(o -> o.what().equals("topic a")).toList();
        double bytes = ofA.stream().mapToDouble(o -> o.sums().get("bytesIn")).sum();
        double seconds = ofA.stream().mapToDouble(o -> o.sums().get("seconds")).sum();
        assertThat(bytes / seconds).as("100 a second at each of two brokers").isEqualTo(200);
        assertThat(ofA).extracting(Observation::toNanos).containsExactly(SECOND, 3 * SECOND);
    }

    @Test
    void ofVeryManyNoneIsAskedFor() {
        assertThat(new TopicCounts(IntStream.range(0, 21).mapToObj(i -> "t" + i).toList()).topics())
                .isEmpty();
    }
}
