package io.plimsoll.measure;

import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of consuming in some stretch of time; they add up.
 *
 * @param records records received
 * @param bytes their key + value bytes
 * @param arrived records received within this window's time (unlike {@code records} without those of the drain)
 * @param arrivedBytes their key + value bytes
 * @param endToEnd reception − intended time (or − the record's timestamp, see {@code timestampSource} of the result)
 * @param negativeEndToEnd records that seemed to arrive before they were due: a clock fault, never dropped
 * @param errors failed polls and commits by kind
 * @param groups per consumer group
 */
public record ConsumeCounts(
        long records,
        long bytes,
        long arrived,
        long arrivedBytes,
        Latencies endToEnd,
        long negativeEndToEnd,
        Map<String, Long> errors,
        Map<String, Group> groups) {

    public static final ConsumeCounts ZERO = new ConsumeCounts(0, 0, 0, 0, Latencies.EMPTY, 0, Map.of(), Map.of());

    public ConsumeCounts {
        errors = Map.copyOf(errors);
        groups = Map.copyOf(groups);
    }

    /**
     * @param commits offset commits that succeeded
     * @param rebalances assignments that the members got after the first
     */
    public record Group(long records, long bytes, long commits, long rebalances) {
        public Group plus(Group o) {
            return new Group(records + o.records, bytes + o.bytes, commits + o.commits, rebalances + o.rebalances);
        }
    }

    /** The same counts with this distribution. */
    ConsumeCounts with(Latencies latencies) {
        return new ConsumeCounts(records, bytes, arrived, arrivedBytes, latencies, negativeEndToEnd, errors, groups);
    }

    public ConsumeCounts plus(ConsumeCounts o) {
        Map<String, Group> sums = new TreeMap<>(groups);
        o.groups.forEach((id, g) -> sums.merge(id, g, Group::plus));
        return new ConsumeCounts(
                records + o.records,
                bytes + o.bytes,
                arrived + o.arrived,
                arrivedBytes + o.arrivedBytes,
                endToEnd.plus(o.endToEnd),
                negativeEndToEnd + o.negativeEndToEnd,
                ProduceCounts.sum(errors, o.errors),
                sums);
    }
}
