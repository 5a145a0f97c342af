package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.BrokerRoles.PartitionRoles;
import io.plimsoll.run.TrialObservation.TopicWatch;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A topic change during a trial is detected. */
class TopicWatchTest {
    private static final TopicPartition ONE = new TopicPartition("t", 0);
    private static final TopicPartition TWO = new TopicPartition("t", 1);

    private static PartitionRoles roles(int leader, Integer... inSync) {
        return new PartitionRoles(leader < 0 ? OptionalInt.empty() : OptionalInt.of(leader), Set.of(inSync), 3);
    }

    @Test
    void keepsAskingOnlyIfOnceAnswered() {
        TrialObservation.Answerable old = new TrialObservation.Answerable();
        assertThat(old.worthAsking()).isTrue();
        old.answered(false);
        assertThat(old.worthAsking()).isFalse();
        TrialObservation.Answerable busy = new TrialObservation.Answerable();
        busy.answered(true);
        busy.answered(false);
        assertThat(busy.worthAsking()).isTrue();
    }

    @Test
    void countsIsrAndLeaderChanges() {
        Map<TopicPartition, PartitionRoles> healthy = Map.of(ONE, roles(1, 1, 2, 3), TWO, roles(2, 1, 2, 3));
        Map<TopicPartition, PartitionRoles> oneDead = Map.of(ONE, roles(2, 2, 3), TWO, roles(2, 2, 3));
        assertThat(TopicWatch.changes(Map.of(), healthy)).containsValues(0.0).doesNotContainValue(1.0);
        assertThat(TopicWatch.changes(healthy, oneDead))
                .isEqualTo(Map.of("isrShrinks", 2.0, "isrExpansions", 0.0, "leaderChanges", 1.0));
        assertThat(TopicWatch.changes(oneDead, healthy))
                .isEqualTo(Map.of("isrShrinks", 0.0, "isrExpansions", 2.0, "leaderChanges", 1.0));
        assertThat(TopicWatch.changes(healthy, Map.of(ONE, roles(-1), TWO, roles(2, 1, 2, 3))))
                .isEqualTo(Map.of("isrShrinks", 3.0, "isrExpansions", 0.0, "leaderChanges", 1.0));
    }
}
