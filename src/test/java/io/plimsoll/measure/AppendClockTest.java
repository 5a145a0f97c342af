package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.AckMeter.AppendClock;
import io.plimsoll.measure.Quiet.Span;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Bounds of brokers' clocks derived from acknowledgments contain the true offset. */
class AppendClockTest {
    private static final long MILLI = 1_000_000;
    private static final long EPOCH = 1_700_000_000_123_456_789L;

    private final AppendClock clock = new AppendClock();

    /** A record sent and acknowledged this long before and after its append, with a clock that is ahead by this. */
    private void append(int partition, long at, long before, long after, long ahead) {
        long appended = (at + ahead) / MILLI;
        clock.appended(0, partition, at - before, at + after, appended);
    }

    /** Append times are truncated to milliseconds and shifted by the clock offset. */
    @Property(tries = 500)
    void appendTimeErrorStaysWithinReportedBound(
            @ForAll long seed,
            @ForAll @IntRange(min = -50, max = 50) int aheadMillis,
            @ForAll @IntRange(min = -150, max = 150) int ppm) {
        SplittableRandom random = new SplittableRandom(seed);
        AppendClock watched = new AppendClock();
        for (int i = 1; i <= 50; i++) {
            long at = EPOCH + i * 100L * MILLI + random.nextLong(MILLI);
            long ahead = aheadMillis * MILLI + i * 100L * ppm;
            long appended = (at + ahead) / MILLI;
            watched.appended(3, 2, at - random.nextLong(5 * MILLI), at + random.nextLong(5 * MILLI), appended);
            Long error = watched.takeError();
            // The age computed by a consumer with the local clock, against the true age.
            long off = Math.abs(at - appended * MILLI);
            assertThat(error == null || off <= error).as(off + " of " + error).isTrue();
            assertThat(error != null).isEqualTo(i >= 8);
        }
    }

    @Test
    void fastRecordsBoundErrorOfLaterSlowOnes() {
        for (int i = 1; i <= 200; i++) {
            append(0, EPOCH + i * 10_300_000L, 200_000, 300_000, 0);
        }
        Long known = clock.takeError();
        assertThat(known).isLessThan(1_400_000);
        append(0, EPOCH + 201 * 10_300_000L, 80 * MILLI, 300 * MILLI, 0);
        assertThat(clock.takeError()).isBetween(known, known + 70_000);
        assertThat(clock.takeError()).as("nothing new").isNull();
    }

    /** Trials without faults never read them, and a run can take days. */
    @Test
    void unreadStretchesStayBounded() {
        for (int i = 1; i <= 10_000; i++) {
            append(0, EPOCH + i * 1_000L * MILLI, 1, 1, 0);
        }
        List<Span> kept = clock.takeStretches(0, 0);
        assertThat(kept).hasSizeLessThanOrEqualTo(1_000);
        assertThat(kept.get(kept.size() - 1).toNanos()).isGreaterThan(EPOCH + 9_999_000L * MILLI);
    }

    @Test
    void treatsNewLeaderAsAnotherClock() {
        for (int i = 1; i <= 100; i++) {
            append(0, EPOCH + i * 10_300_000L, 200_000, 300_000, 0);
            append(1, EPOCH + i * 10_300_000L, 200_000, 300_000, 0);
        }
        assertThat(clock.takeError()).isLessThan(1_400_000);
        for (int i = 101; i <= 200; i++) {
            append(1, EPOCH + i * 10_300_000L, 200_000, 300_000, 40 * MILLI);
        }
        assertThat(clock.takeError()).isBetween(39 * MILLI, 41 * MILLI);
        append(0, EPOCH + 201 * 10_300_000L, 200_000, 300_000, 0);
        assertThat(clock.takeError()).isLessThan(1_900_000);
    }
}
