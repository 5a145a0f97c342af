package io.plimsoll.load.share;

import io.plimsoll.audit.Deliveries;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.SequenceSet;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.GroupState.GroupDelivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.common.TopicPartition;

/**
 * What became of the records of one share group, offset by offset, as its members in this process have seen it.
 * Thread-safe.
 */
final class ShareLedger {
    /** Sets of offsets; an offset that is added to {@code processed} again was processed more than once. */
    private record Partition(Deliveries given, Deliveries processed, Deliveries accepted, Deliveries givenUp) {
        Partition() {
            this(new Deliveries(0), new Deliveries(0), new Deliveries(0), new Deliveries(0));
        }
    }

    private final Map<TopicPartition, Partition> partitions = new ConcurrentHashMap<>();
    private final int limit;

    /** @param limit of deliveries, after which the cluster gives a record up */
    ShareLedger(int limit) {
        this.limit = limit;
    }

    private Partition of(TopicPartition partition) {
        return partitions.computeIfAbsent(partition, p -> new Partition());
    }

    void given(TopicPartition partition, long offset) {
        of(partition).given().processed(offset, 1);
    }

    /** A member has done its work on a record, and means to accept it. */
    void processed(TopicPartition partition, long offset) {
        of(partition).processed().processed(offset, 1);
    }

    /**
     * The cluster knows what a member decided; to decide too late is to release.
     *
     * @param delivery which one of the record's it was, from 1
     * @return true if nobody will be given the record any more, although it was not accepted
     */
    boolean settled(TopicPartition partition, long offset, AcknowledgeType type, int delivery) {
        Partition of = of(partition);
        if (type == AcknowledgeType.ACCEPT) {
            of.accepted().processed(offset, 1);
            return false;
        }
        boolean last = type == AcknowledgeType.REJECT || delivery >= limit;
        boolean over = last && of.accepted().distinct(offset, offset + 1) == 0;
        if (over) {
            of.givenUp().processed(offset, 1);
        }
        return over;
    }

    List<GroupDelivery> deliveries(String group, AuditTrail trail) {
        List<GroupDelivery> all = new ArrayList<>();
        partitions.forEach((partition, of) -> {
            LogReading reading = trail.reading(partition);
            if (reading != null) {
                // Whatever the group was not given lies behind nobody's position: it was left out.
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
