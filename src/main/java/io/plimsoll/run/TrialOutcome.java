package io.plimsoll.run;

import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.Producers;
import java.util.List;
import java.util.Map;

/**
 * The knowledge of a worker at the end of a trial beyond its snapshots.
 *
 * @param produced what was acknowledged, warm-up included
 * @param consumed records per {@code topic-partition}, over all groups, warm-up included
 * @param measuredSeconds length of the measured window as it turned out
 * @param consumeSeconds length of the time that the consumers' throughput refers to; 0 if nothing was read
 * @param groupSeconds likewise of each group by itself; groups that read nothing are absent
 * @param producers what each producer client contributed
 * @param backlogOpenedSeconds when groups that wait for a backlog were let read, after the trial's start; null if none
 *     were
 * @param complete false if the trial was stopped early
 * @param deliveries what the groups with commits did to each partition, in an audited trial
 */
public record TrialOutcome(
        WorkerBarrier.Produced produced,
        Map<String, Long> consumed,
        double measuredSeconds,
        double consumeSeconds,
        Map<String, Double> groupSeconds,
        boolean complete,
        List<Producers.ClientShare> producers,
        Double backlogOpenedSeconds,
        List<GroupDelivery> deliveries) {

    /** The same with these deliveries. */
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
