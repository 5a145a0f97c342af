package io.plimsoll.result;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Response times of the seconds around faults, by time of acknowledgment. Before the first fault, only the last seconds
 * are kept; long after the last fault, only minutes. Histograms are kept encoded, because decoded histograms of several
 * hours would fill the memory.
 */
final class ResponseAround {
    private static final int BEFORE_SECONDS = 10;
    private static final int USUAL_SECONDS = 5;
    /** Time in ns after the request of a fault at which seconds begin to be folded into minutes. */
    private static final long BY_SECOND_NANOS = 600_000_000_000L;

    private static final long MINUTE_NANOS = 60_000_000_000L;
    /** Maximum deviation of acknowledged ÷ due records from 1 for a steady load. */
    private static final double AT_REST = 0.05;

    private final boolean openLoop;
    private final Deque<Second> before = new ArrayDeque<>();
    private final List<Second> since = new ArrayList<>();
    private long begunNanos = Long.MAX_VALUE;
    private long lastBegunNanos;

    /** @param response encoded by {@link Latencies#encode} */
    private record Second(long fromNanos, long toNanos, long due, long arrived, String response) {
        long middle() {
            return fromNanos / 2 + toNanos / 2;
        }

        Latencies latencies() {
            return Latencies.decode(response);
        }

        Second and(Second next) {
            return new Second(
                    fromNanos,
                    next.toNanos,
                    due + next.due,
                    arrived + next.arrived,
                    latencies().plus(next.latencies()).encode());
        }
    }

    ResponseAround(boolean openLoop) {
        this.openLoop = openLoop;
    }

    void accept(Snapshot s) {
        Counts both = s.warmup().plus(s.measured());
        Second second = new Second(
                s.fromNanos(),
                s.toNanos(),
                both.get(Produced.DUE),
                both.get(Produced.ACKNOWLEDGED),
                both.get(Produced.RESPONSE_TIME).encode());
        if (second.middle() >= begunNanos) {
            keep(second);
        } else if (s.phase() != Phase.DRAIN) {
            before.add(second);
            if (before.size() > BEFORE_SECONDS) {
                before.remove();
            }
        }
    }

    private void keep(Second second) {
        int last = since.size() - 1;
        if (last >= 0
                && since.get(last).fromNanos - lastBegunNanos > BY_SECOND_NANOS
                && second.toNanos - since.get(last).fromNanos <= MINUTE_NANOS) {
            since.set(last, since.get(last).and(second));
        } else {
            since.add(second);
        }
    }

    /** Records the request of a fault; from the first fault on, all seconds are kept. */
    void begin(long atNanos) {
        begunNanos = Math.min(begunNanos, atNanos);
        lastBegunNanos = Math.max(lastBegunNanos, atNanos);
    }

    /** Whether the load was steady before the first fault; null with too few seconds to decide. */
    @Nullable
    Boolean steadyBefore() {
        Steadiness steadiness = new Steadiness(openLoop);
        long due = 0;
        long arrived = 0;
        for (Second s : before) {
            steadiness.add((s.toNanos - s.fromNanos) / 1e9, s.due, s.arrived, s.latencies());
            due += s.due;
            arrived += s.arrived;
        }
        Boolean steady = steadiness.steady();
        boolean keptUp = !openLoop || Math.abs(arrived - due) <= AT_REST * due;
        return steady == null ? null : Boolean.valueOf(steady && keptUp);
    }

    /** Response times in the last seconds before the first fault. */
    private Latencies usual() {
        return before.stream()
                .skip(Math.max(0, before.size() - USUAL_SECONDS))
                .map(Second::latencies)
                .reduce(Latencies.EMPTY, Latencies::plus);
    }

    /** @param overNanos time of recovery from the fault; {@code endNanos} or later if the cluster did not recover */
    FaultResult.Response around(long fromNanos, long overNanos, long endNanos) {
        Latencies during = Latencies.EMPTY;
        Latencies after = Latencies.EMPTY;
        for (Second s : since) {
            if (s.middle() >= fromNanos && s.fromNanos < Math.min(overNanos, endNanos)) {
                during = during.plus(s.latencies());
            } else if (s.fromNanos >= overNanos && s.fromNanos < endNanos) {
                after = after.plus(s.latencies());
            }
        }
        return new FaultResult.Response(percentiles(usual()), percentiles(during), percentiles(after), steadyBefore());
    }

    /** Percentiles of response times; null without samples. A percentile is null if too few samples are above it. */
    private static FaultResult.@Nullable Around percentiles(Latencies response) {
        return response.isEmpty()
                ? null
                : new FaultResult.Around(
                        Statistic.P50.percentile(response), Statistic.P99.percentile(response), response.maxMicros());
    }
}
