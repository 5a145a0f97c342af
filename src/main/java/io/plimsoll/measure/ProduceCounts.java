package io.plimsoll.measure;

import java.util.Map;
import java.util.TreeMap;

/**
 * The counts of producing in some stretch of time; they add up.
 *
 * @param due records that the schedule asked for (equals {@code sent} in a closed loop)
 * @param sent records handed to the engine
 * @param acknowledged records of this window (by their intended time) that were acknowledged, however late
 * @param acknowledgedBytes their key + value bytes
 * @param arrived acknowledgements that came within this window's time, whichever window the record belonged to; what
 *     throughput is made of
 * @param arrivedBytes their key + value bytes
 * @param unacknowledged records given up at the end, charged to {@code responseTime} with the time they had waited
 * @param unsent records that were due but not handed over when the window ended, charged likewise
 * @param errors failed records by kind
 * @param events things that happened but are no failed record, by kind (a wait that timed out, an aborted transaction)
 * @param responseTime acknowledgement − intended time
 * @param serviceTime acknowledgement − actual send
 * @param sendDelay actual send − intended time
 */
public record ProduceCounts(
        long due,
        long sent,
        long acknowledged,
        long acknowledgedBytes,
        long arrived,
        long arrivedBytes,
        long unacknowledged,
        long unsent,
        Map<String, Long> errors,
        Map<String, Long> events,
        Latencies responseTime,
        Latencies serviceTime,
        Latencies sendDelay) {

    public static final ProduceCounts ZERO = new ProduceCounts(
            0, 0, 0, 0, 0, 0, 0, 0, Map.of(), Map.of(), Latencies.EMPTY, Latencies.EMPTY, Latencies.EMPTY);

    public ProduceCounts {
        errors = Map.copyOf(errors);
        events = Map.copyOf(events);
    }

    /** The same counts with these distributions. */
    ProduceCounts with(Latencies response, Latencies service, Latencies delay) {
        return new ProduceCounts(
                due,
                sent,
                acknowledged,
                acknowledgedBytes,
                arrived,
                arrivedBytes,
                unacknowledged,
                unsent,
                errors,
                events,
                response,
                service,
                delay);
    }

    public ProduceCounts plus(ProduceCounts o) {
        return new ProduceCounts(
                due + o.due,
                sent + o.sent,
                acknowledged + o.acknowledged,
                acknowledgedBytes + o.acknowledgedBytes,
                arrived + o.arrived,
                arrivedBytes + o.arrivedBytes,
                unacknowledged + o.unacknowledged,
                unsent + o.unsent,
                sum(errors, o.errors),
                sum(events, o.events),
                responseTime.plus(o.responseTime),
                serviceTime.plus(o.serviceTime),
                sendDelay.plus(o.sendDelay));
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
