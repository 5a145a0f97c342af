package io.plimsoll.fleet;

import io.plimsoll.audit.Deliveries;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.SequenceSet;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.GroupState.GroupDelivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;

/**
 * The deliveries of groups with members on several agents: an offset that two agents have processed was
 * processed twice. Used by the trial's thread.
 */
final class SpreadDeliveries {
    /** The deliveries of each agent, by group and partition. */
    private final Map<String, List<GroupDelivery>> parts = new TreeMap<>();

    void add(GroupDelivery part) {
        parts.computeIfAbsent(part.group() + " " + part.topic() + "-" + part.partition(), k -> new ArrayList<>())
                .add(part);
    }

    /** @param trail knows where the trial began to read each partition; null without an audit */
    List<GroupDelivery> all(AuditTrail trail) {
        return trail == null
                ? List.of()
                : parts.values().stream().map(p -> together(p, trail)).toList();
    }

    private static GroupDelivery together(List<GroupDelivery> parts, AuditTrail trail) {
        LongStream firsts = parts.stream()
                .filter(part -> !part.ranges().isEmpty())
                .mapToLong(part -> part.ranges().get(0));
        Deliveries union = new Deliveries(firsts.min().orElse(0));
        long again = 0;
        long position = 0;
        for (GroupDelivery part : parts) {
            for (int i = 0; i < part.ranges().size(); i += 2) {
                union.processed(part.ranges().get(i), part.ranges().get(i + 1));
            }
            again += part.again();
            position = Math.max(position, part.position());
        }
        GroupDelivery any = parts.get(0);
        LogReading reading = trail.reading(new TopicPartition(any.topic(), any.partition()));
        long distinct = union.distinct(reading == null ? 0 : reading.from(), SequenceSet.LIMIT);
        return new GroupDelivery(
                any.group(), any.topic(), any.partition(), again + union.twice(), distinct, position, null, null);
    }
}
