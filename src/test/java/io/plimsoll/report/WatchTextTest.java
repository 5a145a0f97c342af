package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A watch never reports a period as better than it was. */
class WatchTextTest {
    @Test
    void onlyWhatNeverFailedIsThereForAllOfTheTime() {
        assertThat(WatchText.percent(1)).isEqualTo("100 %");
        assertThat(WatchText.percent(0.999_999_9)).isEqualTo("99.999 %");
        assertThat(WatchText.percent(0.999)).isEqualTo("99.900 %");
        assertThat(WatchText.percent(0.99999)).isEqualTo("99.999 %");
        assertThat(WatchText.percent(0)).isEqualTo("0.000 %");
    }
}
