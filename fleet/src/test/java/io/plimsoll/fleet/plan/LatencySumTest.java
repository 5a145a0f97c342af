package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.Latencies;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.Histogram;

/** The sum of latency distributions is exact to two digits. */
class LatencySumTest {
    @Property(tries = 200)
    void matchesMergedDistributionToTwoDigits(
            @ForAll @Size(min = 1, max = 20)
                    List<@Size(min = 1, max = 50) List<@LongRange(min = 1, max = 100_000_000) Long>> parts) {
        LatencySum sum = new LatencySum();
        Latencies merged = Latencies.EMPTY;
        for (List<Long> part : parts) {
            Histogram histogram = new Histogram(Latencies.DIGITS);
            part.forEach(histogram::recordValue);
            sum.add(Latencies.of(histogram));
            merged = merged.plus(Latencies.of(histogram));
        }
        assertThat(sum.total().count()).isEqualTo(merged.count());
        for (double percentile : new double[] {50, 99, 100}) {
            double exact = merged.percentileMicros(percentile);
            assertThat((double) sum.percentileMicros(percentile)).isCloseTo(exact, within(1 + 0.02 * exact));
        }
    }
}
