package io.plimsoll.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Threads send the same schedule together, however they are divided among workers. */
class SharedScheduleTest {
    @Property
    void shareOfRangeIsSumOfThreadShares(
            @ForAll @LongRange(min = 0, max = 100_000) long total,
            @ForAll @IntRange(min = 1, max = 40) int count,
            @ForAll @IntRange(min = 0, max = 40) int a,
            @ForAll @IntRange(min = 0, max = 40) int b) {
        int from = Math.min(Math.min(a, b), count);
        int to = Math.min(Math.max(a, b), count);
        long each = IntStream.range(from, to)
                .mapToLong(i -> Arrivals.share(total, i, count))
                .sum();
        assertThat(Arrivals.shareOf(total, from, to, count)).isEqualTo(each);
        assertThat(Arrivals.shareOf(total, 0, from, count) + each + Arrivals.shareOf(total, to, count, count))
                .isEqualTo(total);
    }
}
