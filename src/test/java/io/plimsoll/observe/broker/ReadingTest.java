package io.plimsoll.observe.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The increase between two readings, and detection of a broker restart. */
class ReadingTest {
    private static final Map<String, Double> LONG_AGO = Map.of(
            "bytesIn", 5e9, "messagesIn", 5e6, "cpuSeconds", 900.0, "produce.requests", 5e5, "produce.totalMs", 2e6);

    private static Map<String, Double> second(Map<String, Double> counters) {
        Reading.Builder before = new Reading.Builder();
        LONG_AGO.forEach(before::counter);
        Reading.Builder after = new Reading.Builder();
        counters.forEach(after::counter);
        return after.at(1_000_000_000).since(before.at(0), "broker 1", "jmx", 0).sums();
    }

    private static Map<String, Double> later(Map<String, Double> other) {
        Map<String, Double> all = new TreeMap<>(LONG_AGO);
        all.put("bytesIn", 5e9 + 1e6);
        all.put("cpuSeconds", 900.5);
        all.putAll(other);
        return all;
    }

    /** A sum is the product of a count and a mean, which are not read at the same instant. */
    @Test
    void singleDecreasingCounterIsNoRestart() {
        assertThat(second(later(Map.of("produce.totalMs", 2e6 - 40))))
                .containsEntry("bytesIn", 1e6)
                .containsEntry("cpuSeconds", 0.5)
                .containsEntry("produce.totalMs", 0.0);
    }

    /** If two sources report a broker, the second one adds only the figures of its host. */
    @Test
    void hostOnlyReadingHasNoTimeOfBroker() {
        Reading.Builder before = new Reading.Builder();
        Reading.Builder after = new Reading.Builder();
        before.counter("bytesIn", 1);
        before.counter("host.cpuSeconds", 4);
        after.counter("bytesIn", 5);
        after.counter("host.cpuSeconds", 4.5);
        Reading now = after.at(1_000_000_000);
        assertThat(now.isOfBroker()).isTrue();
        assertThat(now.ofHost().isOfBroker()).isFalse();
        assertThat(now.ofHost().since(before.at(0), "broker 1", "jmx", 0).sums())
                .isEqualTo(Map.of("host.cpuSeconds", 0.5, "host.seconds", 1.0));
    }

    @Test
    void decreaseOfAllCountersIsRestart() {
        assertThat(second(Map.of("bytesIn", 3e6, "messagesIn", 3e3, "cpuSeconds", 4.0, "produce.requests", 12.0)))
                .containsEntry("bytesIn", 3e6)
                .containsEntry("messagesIn", 3e3)
                .containsEntry("cpuSeconds", 4.0)
                .containsEntry("produce.requests", 12.0);
    }
}
