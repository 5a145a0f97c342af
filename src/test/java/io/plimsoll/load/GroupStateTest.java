package io.plimsoll.load;

import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Readiness, progress, and end of a group: local, spread over workers, and without offsets of its own. */
class GroupStateTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);

    private static GroupState group(String key, OptionalLong records, boolean ownsOffsets) {
        return new GroupState("g", 0, key, records, Duration.ofSeconds(5), ownsOffsets);
    }

    private final GroupState whole = group(null, OptionalLong.empty(), true);
    private final GroupState spread = group("k", OptionalLong.empty(), true);
    private final GroupState ownerless = group(null, OptionalLong.empty(), false);

    @Test
    void isReadyOnceEachPartitionHasPosition() {
        whole.positioned(P0, 5);
        assertThat(whole.isReady(Set.of(P0, P1))).isFalse();
        whole.positioned(P1, 0);
        assertThat(whole.isReady(Set.of(P0, P1))).isTrue();
        whole.unassigned(P0);
        assertThat(whole.isReady(Set.of(P0, P1))).isFalse();
        assertThat(whole.knows(P0)).isTrue();
        assertThat(whole.firstPosition(P0)).isEqualTo(5);
    }

    @Test
    void claimsExactlyTheRecordLimit() {
        GroupState bound = group(null, OptionalLong.of(10), true);
        assertThat(bound.claim(7, 0)).isEqualTo(7);
        assertThat(bound.done()).isFalse();
        assertThat(bound.claim(7, 0)).isEqualTo(3);
        assertThat(bound.done()).isTrue();
        assertThat(bound.claim(7, 0)).isZero();
        assertThat(bound.missing()).isZero();
    }

    @Test
    void isDoneAtLastRecordOfLimit() {
        GroupState bound = group(null, OptionalLong.of(10), true);
        bound.claim(9, 0);
        assertThat(bound.done()).isFalse();
        bound.claim(1, 0);
        assertThat(bound.done()).isTrue();
    }

    @Test
    void reportsMissingRecordsAfterIdleTimeout() {
        GroupState bound = group(null, OptionalLong.of(10), true);
        bound.startWaiting(0);
        bound.claim(4, SECOND);
        bound.endIfIdle(6 * SECOND);
        assertThat(bound.done()).isFalse();
        bound.endIfIdle(6 * SECOND + 1);
        assertThat(bound.done()).isTrue();
        assertThat(bound.missing()).isEqualTo(6);
    }

    /** Its only member can be killed before it reads. */
    @Test
    void idleTimeoutStartsWithFirstLook() {
        GroupState bound = group(null, OptionalLong.of(10), true);
        bound.endIfIdle(100 * SECOND);
        bound.endIfIdle(105 * SECOND);
        assertThat(bound.done()).isFalse();
        bound.endIfIdle(105 * SECOND + 1);
        assertThat(bound.missing()).isEqualTo(10);
    }

    @Test
    void endsAtProducersEndOffsets() {
        whole.startWaiting(0);
        whole.endIfIdle(100 * SECOND);
        assertThat(whole.done()).as("without an end to expect it waits").isFalse();
        assertThat(whole.endsByOffsets()).isFalse();
        whole.readUpTo(Map.of(P0, 10L, P1, 0L));
        assertThat(whole.endsByOffsets()).isTrue();
        whole.readTo(P1, 0);
        whole.readTo(P0, 9);
        assertThat(whole.done()).isFalse();
        whole.readTo(P0, 10);
        assertThat(whole.done()).isTrue();
    }

    @Test
    void lagCountsUnreadRecordsOfPositionedPartitions() {
        whole.positioned(P0, 2);
        whole.consumed(P0, 3, 5);
        assertThat(whole.lag(Map.of(P0, 10L, P1, 10L))).hasValue(5);
        assertThat(whole.lag(Map.of(P0, 3L))).hasValue(0);
        assertThat(whole.consumedByPartition().get(P0)).hasValue(3);
    }

    @Test
    void spreadGroupIsReadyWithOneOwnerPerPartition() {
        spread.positioned(P0, 0);
        assertThat(spread.isReady(Set.of(P0, P1))).isFalse();
        spread.elsewhere(new GroupPart("k", true, true, Set.of("t-1"), Set.of(), 0), 0);
        assertThat(spread.isReady(Set.of(P0, P1))).isTrue();
        spread.elsewhere(new GroupPart("k", true, true, Set.of("t-0", "t-1"), Set.of(), 0), 0);
        assertThat(spread.isReady(Set.of(P0, P1)))
                .as("while it deals them anew")
                .isFalse();
        spread.elsewhere(new GroupPart("another", true, true, Set.of("t-1"), Set.of(), 0), 0);
        assertThat(spread.isReady(Set.of(P0, P1))).isFalse();
    }

    @Test
    void spreadGroupEndsWithAllItsParts() {
        spread.startWaiting(0);
        spread.readUpTo(Map.of(P0, 10L, P1, 10L));
        spread.elsewhere(new GroupPart("k", true, true, Set.of("t-1"), Set.of(), 50), 4 * SECOND);
        spread.endIfIdle(8 * SECOND);
        assertThat(spread.done()).as("something came elsewhere").isFalse();
        spread.readTo(P0, 10);
        assertThat(spread.done()).isFalse();
        spread.elsewhere(new GroupPart("k", true, true, Set.of("t-1"), Set.of("t-1"), 50), 8 * SECOND);
        assertThat(spread.done()).isTrue();
        assertThat(spread.part(true)).isEqualTo(new GroupPart("k", false, true, Set.of(), Set.of("t-0"), 0));
    }

    @Test
    void groupWithoutOffsetsIsReadyAtOnceAndEndsWhenIdle() {
        assertThat(ownerless.isReady(Set.of(P0))).isTrue();
        ownerless.examine();
        ownerless.consumed(P0, 5, 100);
        assertThat(ownerless.lag(Map.of(P0, 10L))).isEmpty();
        assertThat(ownerless.deliveries(P0)).isNull();
        assertThat(ownerless.consumedByPartition().get(P0)).hasValue(5);
        ownerless.startWaiting(SECOND);
        ownerless.readUpTo(Map.of(P0, 5L));
        assertThat(ownerless.endsByOffsets()).isFalse();
        ownerless.readTo(P0, 5);
        assertThat(ownerless.done()).isFalse();
        ownerless.endIfIdle(6 * SECOND + 1);
        assertThat(ownerless.done()).isTrue();
    }

    @Test
    void spreadGroupWithoutOffsetsAwaitsRemoteMembers() {
        GroupState both = group("k", OptionalLong.empty(), false);
        assertThat(both.isReady(Set.of(P0))).isFalse();
        both.elsewhere(new GroupPart("k", true, true, Set.of(), Set.of(), 0), 0);
        assertThat(both.isReady(Set.of(P0))).isTrue();
    }
}
