package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file of the maximum size is read in time proportional to its length, for any contents. */
class LongValuesTest {
    private static final String SMALLEST = """
        topics: [{name: events}]
        producers: [{topic: events, record: {size: 10}}]
        """;

    private static long cpuNanos(String quote, int length) {
        String yaml = SMALLEST + "about: " + quote + "x".repeat(length) + quote + "\n";
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        Plan plan = ScenarioReader.read(yaml, "f", List.of(), 1);
        assertThat(plan.asMap()).hasSize(3);
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    }

    /** Eight times the length would take 64 times as long if each piece cost as much as all pieces before it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "'", "\""})
    void readsLongValueInLinearTime(String quote) {
        cpuNanos(quote, 400_000);
        long small = cpuNanos(quote, 480_000);
        long large = cpuNanos(quote, 3_840_000);
        assertThat((double) large / small).isLessThan(25);
    }
}
