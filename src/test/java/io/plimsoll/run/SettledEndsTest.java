package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What a leader has acknowledged alone is waited for, until its followers have it. */
class SettledEndsTest {
    private static final TopicPartition A = new TopicPartition("t", 0);
    private static final TopicPartition B = new TopicPartition("t", 1);
    private static final Map<String, Long> EXPECTED = Map.of("t-0", 10L, "t-1", 5L);

    private final Queue<Map<TopicPartition, Long>> answers = new ArrayDeque<>();
    private Set<TopicPartition> asked = Set.of();

    private Map<TopicPartition, Long> await(Duration limit, boolean followed, boolean enough) {
        return SettledEnds.await(
                answers::remove,
                lacking -> {
                    asked = lacking;
                    return followed;
                },
                EXPECTED,
                limit,
                () -> enough);
    }

    @Test
    void followersThatAreBehindAreWaitedFor() {
        answers.addAll(List.of(Map.of(A, 3L, B, 5L), Map.of(A, 9L, B, 5L), Map.of(A, 10L, B, 7L)));
        assertThat(await(Duration.ofMinutes(5), true, false))
                .containsEntry(A, 10L)
                .containsEntry(B, 7L);
        assertThat(asked).containsExactly(A);
    }

    @Test
    void aLeaderAloneSaysWhereItsLogEnds() {
        answers.add(Map.of(A, 3L, B, 5L));
        assertThat(await(Duration.ofMinutes(5), false, false)).containsEntry(A, 3L);
    }

    @Test
    void notForEver() {
        answers.addAll(List.of(Map.of(A, 3L, B, 5L), Map.of(A, 4L, B, 5L)));
        assertThat(await(Duration.ZERO, true, false)).containsEntry(A, 3L);
        assertThat(await(Duration.ofMinutes(5), true, true)).containsEntry(A, 4L);
    }

    /** A partition that nobody leads has no end, and nobody to wait for. */
    @Test
    void whatIsNotThereIsNotWaitedFor() {
        answers.add(Map.of(B, 5L));
        assertThat(await(Duration.ofMinutes(5), true, false)).containsOnlyKeys(B);
    }
}
