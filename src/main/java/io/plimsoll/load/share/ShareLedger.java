package io.plimsoll.load.share;

import io.plimsoll.audit.Deliveries;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.SequenceSet;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.GroupState.GroupDelivery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.common.TopicPartition;

/** The deliveries of one share group's records to members in this process, by offset. Thread-safe. */
final class ShareLedger {
    /** Sets of offsets. An offset added to {@code processed} a second time was processed more than once. */
    private record Partition(Deliveries given, Deliveries processed, Deliveries accepted, Deliveries givenUp) {
        static Partition from(long offset) {
            return new Partition(
                    new Deliveries(offset), new Deliveries(offset), new Deliveries(offset), new Deliveries(offset));
        }
    }

    /** Distance in offsets within which the first records of a partition can be delivered out of order. */
    private static final long MOST_BELOW_FIRST = 1 << 20;

    private final Map<TopicPartition, Partition> partitions = new ConcurrentHashMap<>();
    private final int limit;

    ShareLedger(int limit) {
        this.limit = limit;
    }

    /** Creates the sets of a partition; they begin near the first offset, to save memory in an old topic. */
    private Partition of(TopicPartition partition, long offset) {
        return partitions.computeIfAbsent(partition, p -> Partition.from(Math.max(0, offset - MOST_BELOW_FIRST)));
    }

    /** Whether a member has processed the record at an offset, or the cluster has stopped delivering it. */
    boolean isOver(TopicPartition partition, long offset) {
        Partition of = partitions.get(partition);
        return of != null && (of.processed().contains(offset) || of.givenUp().contains(offset));
    }

    void given(TopicPartition partition, long offset) {
        of(partition, offset).given().processed(offset, 1);
    }

    /** Notes that a member has processed a record and intends to accept it. */
    void processed(TopicPartition partition, long offset) {
        of(partition, offset).processed().processed(offset, 1);
    }

    /**
     * Notes a member's decision about a record; a late decision counts as a release.
     * @param delivery number of the record's delivery, from 1
     * @return true if the record is archived without an acceptance
     */
    boolean settled(TopicPartition partition, long offset, AcknowledgeType type, int delivery) {
        Partition of = of(partition, offset);
        if (type == AcknowledgeType.ACCEPT) {
            of.accepted().processed(offset, 1);
            return false;
        }
        boolean last = type == AcknowledgeType.REJECT || delivery >= limit;
        boolean over = last && !of.accepted().contains(offset);
        if (over) {
            of.givenUp().processed(offset, 1);
        }
        return over;
    }

    /** @param targets partitions that the group reads, although the cluster may have delivered no record of some */
    List<GroupDelivery> deliveries(String group, Set<TopicPartition> targets, AuditTrail trail) {
        Set<TopicPartition> read = new HashSet<>(targets);
        read.addAll(partitions.keySet());
        List<GroupDelivery> all = new ArrayList<>();
        read.forEach(partition -> {
            LogReading reading = trail.reading(partition);
            if (reading != null) {
                Partition of = partitions.getOrDefault(partition, Partition.from(0));
                // Without positions, every record that was not delivered counts as skipped.
                all.add(new GroupDelivery(
                        group,
                        partition.topic(),
                        partition.partition(),
                        of.processed().twice(),
                        of.given().distinct(reading.from(), SequenceSet.LIMIT),
                        Long.MAX_VALUE,
                        null,
                        of.givenUp().distinct(reading.from(), SequenceSet.LIMIT)));
            }
        });
        return all;
    }
}
