package io.plimsoll.load;

import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.ConsumeCounts;
import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireCounts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The part that one worker has of the consumer groups of one {@link io.plimsoll.scenario.ConsumerSpec}. The calls come from the worker's
 * thread in the order {@link #prepare}, {@link #start}, any number of {@link #read}, {@link #producersDone},
 * {@link #stop}, {@link #close}.
 */
public interface Consumers extends AutoCloseable {

    /**
     * Creates the consumers and makes them ready: every partition assigned to a member and its position resolved.
     * Nothing is read yet.
     *
     * @throws io.plimsoll.PlimsollException if that is not possible within the time
     */
    void prepare(Duration timeout);

    /** Lets the consumers read, at once or when their start condition says so. */
    void start(TrialClock clock);

    /** Groups that wait for an amount of data to be produced may read now. Others are not affected. */
    void openGate();

    /** When held-back groups were let read, in nanoTime; {@link Long#MAX_VALUE} if they have not been. */
    long openedNanos();

    /**
     * The producers of the trial have ended.
     *
     * @param endOffsets where each partition ends: groups that are not bound by records read up to here and end
     */
    void producersDone(Map<TopicPartition, Long> endOffsets);

    /** True once every group has read what it was asked to, or has given up waiting. */
    boolean done();

    /** Ends reading as soon as possible. */
    void stop();

    @Override
    void close();

    /** The members that were made so far; none where there are no groups on the cluster. */
    default java.util.List<GroupMember> members() {
        return java.util.List.of();
    }

    /** Says what is known here of groups that have members in other processes too. Any thread. */
    default java.util.List<GroupPart> parts() {
        return java.util.List.of();
    }

    /** Takes what all the other processes know of such a group. Any thread. */
    default void elsewhere(GroupPart rest) {}

    Reading read();

    /** Adds what the clients have said of themselves up to the last {@link #read}, since the one before. */
    void figures(ClientFigures figures);

    /** Records not yet read against the given ends of the partitions, per group that can tell. */
    Map<String, Long> lag(Map<TopicPartition, Long> endOffsets);

    /** Consumed records per {@code topic-partition} since the start. */
    Map<String, Long> consumedByPartition();

    /** Says what became of each partition in the groups that are examined for it; exact after {@link #close}. */
    default List<GroupDelivery> deliveries() {
        return List.of();
    }

    /** When partitions of groups went from member to member, in nanoTime; of groups with all members here. */
    default List<HandOver> handOvers() {
        return List.of();
    }

    /** From when to when the groups read, in nanoTime, for their throughput; empty if nothing was read. */
    java.util.Optional<Span> span();

    /**
     * The time in which groups read.
     *
     * @param fromNanos when reading began, in nanoTime
     * @param toNanos when it ended
     */
    record Span(long fromNanos, long toNanos) {
        public double seconds() {
            return (toNanos - fromNanos) / 1e9;
        }
    }

    record Reading(ConsumeCounts warmup, ConsumeCounts measured, WireCounts wire) {}
}
