package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.SlowMoment;
import io.plimsoll.result.SlowMoment.Cause;
import io.plimsoll.text.Sentence;
import io.plimsoll.watch.WatchStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A watch never reports a period as better than it was. */
class WatchTextTest {
    @Test
    void neverRoundsAvailabilityUpTo100Percent() {
        assertThat(WatchText.percent(1)).isEqualTo("100 %");
        assertThat(WatchText.percent(0.999_999_9)).isEqualTo("99.999 %");
        assertThat(WatchText.percent(0.999)).isEqualTo("99.900 %");
        assertThat(WatchText.percent(0.99999)).isEqualTo("99.999 %");
        assertThat(WatchText.percent(0)).isEqualTo("0.000 %");
    }

    private static List<String> keys(String event) {
        Cause cause = new Cause(event, "broker 2", 10, 10.7, null, 0.9);
        SlowMoment moment = new SlowMoment(
                10,
                10.7,
                "request",
                List.of(2),
                List.of("w-1"),
                List.of("produce"),
                7,
                700_000,
                List.of(),
                List.of(cause));
        return WatchText.of(WatchStatus.Slow.of(moment, Instant.EPOCH)).stream()
                .map(Sentence::key)
                .toList();
    }

    /** The outage has a message of its own. */
    @Test
    void doesNotReportSlowRecordsOfABrokerOutage() {
        assertThat(keys("gc")).containsExactly("watch.slow", "watch.slowAt", "watch.slowWhy");
        assertThat(keys("brokerDown")).isEmpty();
    }
}
