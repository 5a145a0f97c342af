package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of consuming in some stretch of time; they add up. Nested values lie flat in JSON.
 *
 * @param records records received
 * @param bytes their key + value bytes
 * @param inTime what of this came within this window's time, unlike {@code records} without the drain
 * @param errors failed polls and commits by kind
 * @param groups per consumer group
 * @param events what else a kind of consumer counts, by name: see the figures of share groups and of work
 */
public record ConsumeCounts(
        long records,
        long bytes,
        @JsonUnwrapped InTime inTime,
        @JsonUnwrapped Times times,
        Map<String, Long> errors,
        Map<String, Group> groups,
        Map<String, Long> events) {

    public static final ConsumeCounts ZERO =
            new ConsumeCounts(0, 0, InTime.NONE, Times.NONE, Map.of(), Map.of(), Map.of());

    public ConsumeCounts {
        errors = Map.copyOf(errors);
        groups = Map.copyOf(groups);
        // Earlier versions have none.
        events = events == null ? Map.of() : Map.copyOf(events);
        if (inTime.arrivedEvents == null) {
            inTime = new InTime(inTime.arrived, inTime.arrivedBytes, events);
        }
    }

    /**
     * What came within a window's time, for rates.
     *
     * @param arrived records received
     * @param arrivedBytes their key + value bytes
     * @param arrivedEvents see {@link ConsumeCounts#events()}
     */
    public record InTime(long arrived, long arrivedBytes, Map<String, Long> arrivedEvents) {
        public static final InTime NONE = new InTime(0, 0, Map.of());

        public InTime {
            arrivedEvents = arrivedEvents == null ? null : Map.copyOf(arrivedEvents);
        }

        InTime plus(InTime o) {
            return new InTime(
                    arrived + o.arrived,
                    arrivedBytes + o.arrivedBytes,
                    ProduceCounts.sum(arrivedEvents, o.arrivedEvents));
        }
    }

    /** Records received within this window's time. */
    public long arrived() {
        return inTime.arrived;
    }

    /** Their key + value bytes. */
    public long arrivedBytes() {
        return inTime.arrivedBytes;
    }

    /** The same with only those events that came within the window's time. */
    public ConsumeCounts eventsInTime() {
        return new ConsumeCounts(records, bytes, inTime, times, errors, groups, inTime.arrivedEvents);
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

    /**
     * How long records took.
     *
     * @param endToEnd reception − intended time (or − the record's timestamp, see {@code timestampSource} of the result)
     * @param neverReceived records of {@code endToEnd} that were never received: they count with the time that they waited
     * @param negativeEndToEnd records that seemed to arrive before they were due: a clock fault, never dropped
     * @param endToEndFromAppend reception − the broker's append time, of records that carry that
     * @param negativeFromAppend records that seemed to arrive before they were appended, likewise
     */
    public record Times(
            Latencies endToEnd,
            long neverReceived,
            long negativeEndToEnd,
            Latencies endToEndFromAppend,
            long negativeFromAppend) {
        public static final Times NONE = new Times(Latencies.EMPTY, 0, 0, Latencies.EMPTY, 0);

        public Times {
            // Earlier versions have only the first.
            endToEndFromAppend = endToEndFromAppend == null ? Latencies.EMPTY : endToEndFromAppend;
        }

        Times plus(Times o) {
            return new Times(
                    endToEnd.plus(o.endToEnd),
                    neverReceived + o.neverReceived,
                    negativeEndToEnd + o.negativeEndToEnd,
                    endToEndFromAppend.plus(o.endToEndFromAppend),
                    negativeFromAppend + o.negativeFromAppend);
        }

        Times with(Latencies whole, Latencies fromAppend) {
            return new Times(whole, neverReceived, negativeEndToEnd, fromAppend, negativeFromAppend);
        }
    }

    /** See {@link Times#endToEnd()}. */
    public Latencies endToEnd() {
        return times.endToEnd;
    }

    ConsumeCounts with(Latencies whole, Latencies fromAppend) {
        return new ConsumeCounts(records, bytes, inTime, times.with(whole, fromAppend), errors, groups, events);
    }

    public ConsumeCounts plus(ConsumeCounts o) {
        Map<String, Group> sums = new TreeMap<>(groups);
        o.groups.forEach((id, g) -> sums.merge(id, g, Group::plus));
        return new ConsumeCounts(
                records + o.records,
                bytes + o.bytes,
                inTime.plus(o.inTime),
                times.plus(o.times),
                ProduceCounts.sum(errors, o.errors),
                sums,
                ProduceCounts.sum(events, o.events));
    }
}
