package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Latencies;
import io.plimsoll.result.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A day's latencies outlive their process, and no longer than a day. */
class RollingLatenciesTest {
    private static final long MILLI = 1_000_000;
    private static final long HOUR = 60;
    /** In the middle of an hour. */
    private static final long NOW = 29_000_010;

    /** As they are written to a file and read from it. */
    private static Map<Long, Latencies> written(RollingLatencies latencies, long minute) throws Exception {
        WatchFiles.Timed timed = new WatchFiles.Timed(Signal.PRODUCE, 1, latencies.hours(minute));
        return Json.MAPPER.readValue(Json.line(timed), WatchFiles.Timed.class).hours();
    }

    @Test
    void goOnWhereAnEarlierProcessEnded() throws Exception {
        RollingLatencies first = new RollingLatencies();
        first.add(400 * MILLI, NOW - 24 * HOUR);
        first.add(2 * MILLI, NOW);
        RollingLatencies second = new RollingLatencies();
        second.restore(written(first, NOW));
        second.add(8 * MILLI, NOW);

        assertThat(second.recent(NOW).count()).isEqualTo(1);
        assertThat(second.day(NOW).count()).isEqualTo(3);
        assertThat(second.day(NOW).maxMicros()).isBetween(396_000L, 404_000L);
        // What it writes itself has both, each once.
        RollingLatencies third = new RollingLatencies();
        third.restore(written(second, NOW));
        assertThat(third.day(NOW).count()).isEqualTo(3);
        assertThat(third.day(NOW + HOUR).count())
                .as("the oldest is out of the day")
                .isEqualTo(2);
        assertThat(written(third, NOW + 26 * HOUR)).isEmpty();
    }
}
