package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Latencies;
import io.plimsoll.result.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A day's latencies outlive their process, but not the day. */
class RollingLatenciesTest {
    private static final long MILLI = 1_000_000;
    private static final long HOUR = 60;
    /** In the middle of an hour. */
    private static final long NOW = 29_000_010;

    /** As written to a file and read back. */
    private static Map<Long, String> written(RollingLatencies latencies, long minute) throws Exception {
        WatchFiles.Timed timed = new WatchFiles.Timed(Signal.PRODUCE, 1, latencies.hours(minute));
        return Json.MAPPER.readValue(Json.line(timed), WatchFiles.Timed.class).hours();
    }

    @Test
    void continuesFromAnEarlierProcess() throws Exception {
        RollingLatencies first = new RollingLatencies();
        first.add(400 * MILLI, NOW - 24 * HOUR);
        first.add(2 * MILLI, NOW);
        RollingLatencies second = new RollingLatencies();
        second.restore(written(first, NOW));
        second.add(8 * MILLI, NOW);

        assertThat(second.recent(NOW).getTotalCount()).isEqualTo(1);
        assertThat(second.day(NOW).getTotalCount()).isEqualTo(3);
        assertThat(second.day(NOW).getMaxValue()).isBetween(396_000L, 404_000L);
        // Its own file has both values, each once.
        RollingLatencies third = new RollingLatencies();
        third.restore(written(second, NOW));
        assertThat(third.day(NOW).getTotalCount()).isEqualTo(3);
        assertThat(third.day(NOW + HOUR).getTotalCount())
                .as("the oldest is out of the day")
                .isEqualTo(2);
        assertThat(written(third, NOW + 26 * HOUR)).isEmpty();
    }

    @Test
    void encodesFinishedHourOnce() {
        RollingLatencies latencies = new RollingLatencies();
        latencies.add(2 * MILLI, NOW - HOUR);
        latencies.add(3 * MILLI, NOW);
        long now = NOW / HOUR;
        Map<Long, String> before = latencies.hours(NOW);
        assertThat(before.keySet()).containsExactly(now - 1, now);
        latencies.add(4 * MILLI, NOW);
        Map<Long, String> after = latencies.hours(NOW);
        assertThat(after.get(now - 1)).isSameAs(before.get(now - 1));
        assertThat(Latencies.decode(after.get(now)).count()).isEqualTo(2);
        // An hour may have ended after the last write during it.
        assertThat(Latencies.decode(latencies.hours(NOW + HOUR).get(now)).count())
                .isEqualTo(2);
    }
}
