package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of producing in some stretch of time; they add up. Nested values lie flat in JSON.
 *
 * @param due records that the schedule asked for (equals {@code sent} in a closed loop)
 * @param sent records handed to the engine
 * @param unacknowledged records given up at the end, charged to {@code responseTime} with the time they had waited
 * @param unsent records that were due but never handed over, charged likewise
 * @param errors failed records by kind
 * @param events things that happened but are no failed record, by kind (a wait that timed out, an aborted transaction)
 */
public record ProduceCounts(
        long due,
        long sent,
        @JsonUnwrapped Volume volume,
        long unacknowledged,
        long unsent,
        Map<String, Long> errors,
        Map<String, Long> events,
        @JsonUnwrapped Times times) {
    public static final ProduceCounts ZERO =
            new ProduceCounts(0, 0, Volume.NOTHING, 0, 0, Map.of(), Map.of(), Times.NONE);

    /**
     * What was acknowledged, in records and in key + value bytes.
     *
     * @param acknowledged records of this window (by their intended time), however late
     * @param arrived acknowledgements that came within this window's time, whichever window the record belonged to; what
     *     throughput is made of
     */
    public record Volume(long acknowledged, long acknowledgedBytes, long arrived, long arrivedBytes) {
        public static final Volume NOTHING = new Volume(0, 0, 0, 0);

        public Volume plus(Volume o) {
            return new Volume(
                    acknowledged + o.acknowledged,
                    acknowledgedBytes + o.acknowledgedBytes,
                    arrived + o.arrived,
                    arrivedBytes + o.arrivedBytes);
        }
    }

    /**
     * How long records took.
     *
     * @param responseTime acknowledgement − intended time
     * @param serviceTime acknowledgement − actual send
     * @param sendDelay actual send − intended time
     */
    public record Times(Latencies responseTime, Latencies serviceTime, Latencies sendDelay) {
        public static final Times NONE = new Times(Latencies.EMPTY, Latencies.EMPTY, Latencies.EMPTY);

        Times plus(Times o) {
            return new Times(
                    responseTime.plus(o.responseTime), serviceTime.plus(o.serviceTime), sendDelay.plus(o.sendDelay));
        }
    }

    public ProduceCounts {
        errors = Map.copyOf(errors);
        events = Map.copyOf(events);
    }

    ProduceCounts with(Times others) {
        return new ProduceCounts(due, sent, volume, unacknowledged, unsent, errors, events, others);
    }

    public ProduceCounts plus(ProduceCounts o) {
        return new ProduceCounts(
                due + o.due,
                sent + o.sent,
                volume.plus(o.volume),
                unacknowledged + o.unacknowledged,
                unsent + o.unsent,
                sum(errors, o.errors),
                sum(events, o.events),
                times.plus(o.times));
    }

    public long errorTotal() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Adds two maps of counts key by key. */
    public static Map<String, Long> sum(Map<String, Long> a, Map<String, Long> b) {
        if (b.isEmpty()) {
            return a;
        }
        Map<String, Long> sum = new TreeMap<>(a);
        b.forEach((k, v) -> sum.merge(k, v, Long::sum));
        return sum;
    }
}
