package io.plimsoll.run;

import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.Producers;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A worker's results at the end of a trial, in addition to its snapshots. Counts include the warm-up.
 *
 * @param consumed records per {@code topic-partition}, over all groups
 * @param consumeSeconds period of the consumers' throughput; 0 if no records were read
 * @param groupSeconds period of each group's throughput; absent for groups that read no record
 * @param backlogOpenedSeconds trial time at which the first group that waits for a backlog started to read; null if
 *     none did
 * @param complete false if the trial was stopped early
 * @param deliveries deliveries of each partition to groups that commit, in an audited trial
 */
public record TrialOutcome(
        WorkerBarrier.Produced produced,
        Map<String, Long> consumed,
        double measuredSeconds,
        double consumeSeconds,
        Map<String, Double> groupSeconds,
        boolean complete,
        List<Producers.ClientShare> producers,
        @Nullable Double backlogOpenedSeconds,
        List<GroupDelivery> deliveries) {

    public TrialOutcome withDeliveries(List<GroupDelivery> others) {
        return new TrialOutcome(
                produced,
                consumed,
                measuredSeconds,
                consumeSeconds,
                groupSeconds,
                complete,
                producers,
                backlogOpenedSeconds,
                others);
    }
}
