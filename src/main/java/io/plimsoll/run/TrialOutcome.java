package io.plimsoll.run;

import io.plimsoll.load.GroupDelivery;
import io.plimsoll.load.Producers;
import java.util.List;
import java.util.Map;

/**
 * What a worker knows at the end of a trial beyond its snapshots.
 *
 * @param acknowledged records per {@code topic-partition}, warm-up included
 * @param markers transaction markers per {@code topic-partition}
 * @param consumed records per {@code topic-partition}, over all groups, warm-up included
 * @param measuredSeconds length of the measured window as it turned out
 * @param consumeSeconds length of the time that the consumers' throughput refers to; 0 if nothing was read
 * @param producers what each producer client contributed
 * @param backlogOpenedSeconds when groups that wait for a backlog were let read, after the trial's start; null if none
 *     were
 * @param complete false if the trial was stopped early
 * @param deliveries what the groups with commits did to each partition, in an audited trial
 */
public record TrialOutcome(
        Map<String, Long> acknowledged,
        Map<String, Long> markers,
        Map<String, Long> consumed,
        double measuredSeconds,
        double consumeSeconds,
        boolean complete,
        List<Producers.ClientShare> producers,
        Double backlogOpenedSeconds,
        List<GroupDelivery> deliveries) {

    /** The same with these deliveries. */
    public TrialOutcome with(List<GroupDelivery> others) {
        return new TrialOutcome(
                acknowledged,
                markers,
                consumed,
                measuredSeconds,
                consumeSeconds,
                complete,
                producers,
                backlogOpenedSeconds,
                others);
    }
}
