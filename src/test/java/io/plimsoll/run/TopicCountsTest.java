package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Observation;
import io.plimsoll.run.TrialObservation.TopicCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Topic figures are sums over all brokers. */
class TopicCountsTest {
    private static final long SECOND = 1_000_000_000L;

    private static Observation seen(int broker, long from, long to, double a, double b) {
        return new Observation(
                "broker " + broker,
                "jmx",
                from * SECOND,
                to * SECOND,
                Map.of("topic:bytesIn:a", a, "topic:bytesIn:b:c", b, "bytesIn", a + b, "seconds", (double) (to - from)),
                Map.of());
    }

    private static List<Observation> taken(TopicCounts tally, Observation... told) {
        List<Observation> all = new ArrayList<>();
        List.of(told).forEach(o -> tally.take(o, all::add));
        return all;
    }

    private static List<Observation> of(String what, List<Observation> all) {
        return all.stream().filter(o -> o.what().equals(what)).toList();
    }

    private static double sum(String name, List<Observation> all) {
        return all.stream().mapToDouble(o -> o.sums().get(name)).sum();
    }

    @Test
    void movesTopicCountsFromBrokersIntoTopicSums() {
        TopicCounts tally = new TopicCounts(List.of("a", "b:c"));
        List<Observation> first = taken(tally, seen(1, 0, 1, 5, 7));
        assertThat(first).extracting(Observation::what).containsExactly("broker 1", "topic a", "topic b:c");
        assertThat(first.get(0).sums()).isEqualTo(Map.of("bytesIn", 12.0, "seconds", 1.0));
        List<Observation> second = taken(tally, seen(2, 0, 1, 10, 20), seen(1, 1, 2, 5, 7));
        assertThat(of("topic a", second).get(0).sums()).isEqualTo(Map.of("bytesIn", 15.0, "seconds", 1.0));
        assertThat(of("topic b:c", second).get(0).sums()).isEqualTo(Map.of("bytesIn", 27.0, "seconds", 1.0));
    }

    @Test
    void measuresLogGrowthOfTopics() {
        TopicCounts tally = new TopicCounts(List.of("a"));
        assertThat(tally.look(SECOND, Map.of("a", 1000L)).get(0).gauges()).isEqualTo(Map.of("logBytes", 1000.0));
        assertThat(tally.look(2 * SECOND, Map.of())).isEmpty();
        Observation grown = tally.look(6 * SECOND, Map.of("a", 1500L)).get(0);
        assertThat(grown.sums()).isEqualTo(Map.of("logGrowth", 500.0, "logSeconds", 5.0));
        assertThat(grown.gauges()).isEqualTo(Map.of("logBytes", 1500.0));
    }

    /** On a busy machine brokers respond late; a topic on a single broker always has the broker's figures. */
    @Test
    void singleBrokerTopicHasIntervalsOfItsBroker() {
        List<Observation> all = taken(
                new TopicCounts(List.of("a", "b:c")),
                seen(1, 0, 1, 100, 0),
                seen(1, 1, 4, 300, 0),
                seen(1, 4, 5, 700, 0));
        assertThat(of("topic a", all))
                .extracting(o -> List.of(o.fromNanos(), o.toNanos(), o.sums().get("bytesIn")))
                .isEqualTo(of("broker 1", all).stream()
                        .map(o -> List.<Object>of(
                                o.fromNanos(), o.toNanos(), o.sums().get("bytesIn")))
                        .toList());
    }

    @Test
    void topicRateCoversBrokersThatAreLateOrGone() {
        List<Observation> all = taken(
                new TopicCounts(List.of("a")),
                seen(1, 0, 1, 100, 0),
                seen(2, 0, 3, 300, 0),
                seen(1, 1, 2, 100, 0),
                seen(1, 2, 3, 100, 0),
                seen(2, 3, 4, 100, 0),
                seen(1, 3, 4, 100, 0),
                seen(2, 4, 5, 200, 0),
                seen(2, 5, 8, 600, 0),
                seen(2, 8, 9, 200, 0));
        List<Observation> ofA = of("topic a", all);
        assertThat(sum("bytesIn", ofA) / sum("seconds", ofA))
                .as("100 a second at each of two brokers, 200 at one")
                .isEqualTo(200);
        assertThat(ofA).extracting(Observation::toNanos).endsWith(4 * SECOND, 8 * SECOND, 9 * SECOND);
    }

    @Test
    void requestsNoCountsForTooManyTopics() {
        assertThat(new TopicCounts(IntStream.range(0, 21).mapToObj(i -> "t" + i).toList()).topics())
                .isEmpty();
    }
}
