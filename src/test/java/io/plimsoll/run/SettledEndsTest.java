package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.Waiter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Records acknowledged by the leader alone are awaited until its followers have them. */
class SettledEndsTest {
    private static final TopicPartition A = new TopicPartition("t", 0);
    private static final TopicPartition B = new TopicPartition("t", 1);
    private static final Map<String, Long> EXPECTED = Map.of("t-0", 10L, "t-1", 5L);

    /** The last one is returned repeatedly. */
    private final Queue<Map<TopicPartition, Long>> answers = new ArrayDeque<>();

    private Set<TopicPartition> asked = Set.of();
    private long nanos = -1_000_000_000;

    private final Waiter time = new Waiter() {
        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public void park(long length) {
            nanos += length;
        }
    };

    private Map<TopicPartition, Long> await(Duration limit, boolean followed, boolean enough) {
        return LogEnds.await(
                () -> answers.size() > 1 ? answers.remove() : answers.element(),
                lacking -> {
                    asked = lacking;
                    return followed;
                },
                EXPECTED,
                time,
                limit,
                () -> enough);
    }

    @Test
    void waitsForLaggingFollowers() {
        answers.addAll(List.of(Map.of(A, 3L, B, 5L), Map.of(A, 9L, B, 5L), Map.of(A, 10L, B, 7L)));
        assertThat(await(Duration.ofMinutes(5), true, false))
                .containsEntry(A, 10L)
                .containsEntry(B, 7L);
    }

    /** Regardless of duration and stalls. */
    @Test
    void waitsForStalledFollowerUpToLimit() {
        answers.add(Map.of(A, 3L, B, 5L));
        long began = nanos;
        assertThat(await(Duration.ofSeconds(35), true, false)).containsEntry(A, 3L);
        assertThat(nanos - began).isBetween(35_000_000_000L, 35_100_000_000L);
        assertThat(asked).containsExactly(A);
    }

    /** Without acknowledgments, it may still have records to receive from the connection. */
    @Test
    void acceptsEndOfLoneLeaderOnceItStopsGrowing() {
        for (long end = 3; end <= 10; end++) {
            for (int look = 0; look < 50; look++) {
                answers.add(Map.of(A, end, B, 5L));
            }
        }
        assertThat(await(Duration.ofMinutes(5), false, false)).containsEntry(A, 10L);
        answers.clear();
        answers.add(Map.of(A, 3L, B, 5L));
        long began = nanos;
        assertThat(await(Duration.ofMinutes(5), false, false)).containsEntry(A, 3L);
        assertThat(nanos - began).isBetween(2_000_000_000L, 2_100_000_000L);
    }

    @Test
    void stopsWaitingAtLimitOrOnRequest() {
        answers.addAll(List.of(Map.of(A, 3L, B, 5L), Map.of(A, 4L, B, 5L)));
        assertThat(await(Duration.ZERO, true, false)).containsEntry(A, 3L);
        assertThat(await(Duration.ofMinutes(5), true, true)).containsEntry(A, 4L);
    }

    /** A partition without a leader has no end offset and is not awaited. */
    @Test
    void doesNotWaitForLeaderlessPartitions() {
        answers.add(Map.of(B, 5L));
        assertThat(await(Duration.ofMinutes(5), true, false)).containsOnlyKeys(B);
    }
}
