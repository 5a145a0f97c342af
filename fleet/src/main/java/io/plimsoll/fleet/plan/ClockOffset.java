package io.plimsoll.fleet.plan;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The offset of another process's monotonic clock from the local clock, estimated from message exchanges. In each
 * exchange, the other clock was read between the local send and receive times. Because clocks drift apart by at most
 * {@link #MOST_DRIFT}, each exchange also bounds the offset at any other time. The estimate is the midpoint of the
 * range that all exchanges permit, and its error is half of that range. Short round trips dominate, and asymmetric
 * delays stay within the error. Not thread-safe.
 */
public final class ClockOffset {
    /** Maximum relative drift of two clocks: each crystal is off by up to 100 parts per million. */
    public static final double MOST_DRIFT = 200e-6;

    private static final int KEPT = 512;
    /** Minimum time span in ns to estimate a drift; over shorter periods, noise exceeds the drift. */
    private static final long LEAST_SPAN_NANOS = 10_000_000_000L;

    private final Deque<Exchange> exchanges = new ArrayDeque<>();

    /** Minimum and maximum offset of the other clock from the local clock, at the local time in the middle of an exchange. */
    private record Exchange(long atNanos, long low, long high) {
        double middle() {
            return low + (high - low) / 2.0;
        }
    }

    /**
     * The offset to add to local time to get the other clock's time, its maximum error, and the relative drift of the
     * other clock in millionths (null if observed too briefly).
     */
    public record OffsetEstimate(
            long offsetNanos, long errorNanos, @Nullable Double driftPerMillion) {
        public long toOther(long oursNanos) {
            return oursNanos + offsetNanos;
        }
    }

    /** Adds an exchange: sent and received according to the local clock; received and answered according to the other clock. */
    public void add(long sentNanos, long receivedThereNanos, long answeredThereNanos, long receivedNanos) {
        long low = answeredThereNanos - receivedNanos;
        long high = receivedThereNanos - sentNanos;
        if (high < low) {
            // The order of the readings is impossible, so ignore the exchange.
            return;
        }
        exchanges.addLast(new Exchange(sentNanos + (receivedNanos - sentNanos) / 2, low, high));
        if (exchanges.size() > KEPT) {
            exchanges.removeFirst();
        }
    }

    /** The estimate at a local time; empty before the first exchange. */
    public Optional<OffsetEstimate> at(long nowNanos) {
        if (exchanges.isEmpty()) {
            return Optional.empty();
        }
        double low = Double.NEGATIVE_INFINITY;
        double high = Double.POSITIVE_INFINITY;
        long reference = exchanges.peekLast().low();
        for (Exchange e : exchanges) {
            // The bounds hold at some time within the exchange, up to half a round trip from its midpoint.
            double drift = (Math.abs(nowNanos - e.atNanos()) + (e.high() - e.low())) * MOST_DRIFT;
            low = Math.max(low, e.low() - reference - drift);
            high = Math.min(high, e.high() - reference + drift);
        }
        // Contradictory bounds: a clock was set, or drifts more than assumed.
        double error = Math.abs(high - low) / 2;
        long offset = reference + Math.round((low + high) / 2);
        return Optional.of(new OffsetEstimate(offset, Math.round(Math.ceil(error)), drift()));
    }

    /** The slope of the line through the exchanges, weighted toward short round trips. */
    private @Nullable Double drift() {
        long first = exchanges.peekFirst().atNanos();
        if (exchanges.peekLast().atNanos() - first < LEAST_SPAN_NANOS) {
            return null;
        }
        double reference = exchanges.peekFirst().middle();
        double weights = 0;
        double x = 0;
        double y = 0;
        for (Exchange e : exchanges) {
            double weight = weight(e);
            weights += weight;
            x += weight * (e.atNanos() - first);
            y += weight * (e.middle() - reference);
        }
        double meanX = x / weights;
        double meanY = y / weights;
        double xy = 0;
        double xx = 0;
        for (Exchange e : exchanges) {
            double dx = e.atNanos() - first - meanX;
            xy += weight(e) * dx * (e.middle() - reference - meanY);
            xx += weight(e) * dx * dx;
        }
        return xx == 0 ? null : Double.valueOf(xy / xx * 1e6);
    }

    private static double weight(Exchange e) {
        double roundTrip = 1_000.0 + (e.high() - e.low());
        return 1 / (roundTrip * roundTrip);
    }
}
