package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The mark of a run's topics: round trip, and rejection of foreign values. */
class TopicMarkTest {
    @Property
    void preservesRunCreationTimeAndDuration(
            @ForAll @IntRange(max = (1 << 24) - 1) int run,
            @ForAll @LongRange(min = 1_704_067_200L, max = 2_700_000_000L) long at,
            @ForAll @LongRange(min = 1, max = 90 * 86_400) long seconds) {
        Instant made = Instant.ofEpochSecond(at);
        Duration lasts = Duration.ofSeconds(seconds);
        TopicMark read = TopicMark.of(Map.of(TopicMark.PROPERTY, new TopicMark(run, made, lasts).text()))
                .orElseThrow();
        assertThat(read.run()).isEqualTo(run);
        assertThat(read.made()).isBetween(made.minusSeconds(60), made);
        assertThat(read.lasts()).isBetween(lasts, lasts.multipliedBy(2).plusSeconds(60));
    }

    @Property
    void ignoresValuesSetByUsers(@ForAll @LongRange(max = 1L << 60) long value) {
        assertThat(TopicMark.of(Map.of(TopicMark.PROPERTY, String.valueOf(value))))
                .isEmpty();
    }

    @Test
    void ignoresMissingInfiniteAndAlteredValues() {
        assertThat(TopicMark.of(Map.of())).isEmpty();
        assertThat(TopicMark.of(Map.of(TopicMark.PROPERTY, String.valueOf(Long.MAX_VALUE))))
                .isEmpty();
        assertThat(TopicMark.of(Map.of(TopicMark.PROPERTY, "-1"))).isEmpty();
        long mark = Long.parseLong(new TopicMark(0xabcdef, Instant.now(), Duration.ofHours(1)).text());
        assertThat(TopicMark.of(Map.of(TopicMark.PROPERTY, String.valueOf(mark + 1))))
                .isEmpty();
        assertThat(TopicMark.of(Map.of(TopicMark.PROPERTY, String.valueOf(mark ^ (1L << 40)))))
                .isEmpty();
    }

    @Test
    void skipsCompactedTopicsAndUserSetProperty() {
        assertThat(TopicMark.fits(Map.of("retention.ms", "5"))).isTrue();
        assertThat(TopicMark.fits(Map.of(TopicMark.PROPERTY, "5"))).isFalse();
        assertThat(TopicMark.fits(Map.of("cleanup.policy", "delete,compact"))).isFalse();
    }
}
