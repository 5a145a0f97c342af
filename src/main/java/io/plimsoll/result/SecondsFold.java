package io.plimsoll.result;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.TrialResult.Second;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Folds snapshots into one entry a second. Snapshots with the same sequence number (of several workers) are one second;
 * a stretch too short for a rate, such as the rest at the end of a trial, joins the second before it.
 */
final class SecondsFold {
    private static final long SHORTEST_NANOS = 200_000_000;

    private final Steadiness steadiness;
    private final boolean produces;
    private final List<Second> seconds = new ArrayList<>();
    private Stretch open;

    /** @param produces false if the trial only consumes: the rate of consuming is then what must be steady */
    SecondsFold(Steadiness steadiness, boolean produces) {
        this.produces = produces;
        this.steadiness = steadiness;
    }

    void accept(Snapshot s) {
        boolean joins = open != null
                && (s.sequence() == open.sequence || s.toNanos() - Math.max(s.fromNanos(), open.to) < SHORTEST_NANOS);
        if (!joins) {
            close();
            open = new Stretch(s);
        }
        open.add(s);
    }

    List<Second> seconds() {
        close();
        return List.copyOf(seconds);
    }

    /** A snapshot as a second of its own; empty if it is too short for that. */
    static Optional<Second> second(Snapshot s) {
        if (s.toNanos() - s.fromNanos() < SHORTEST_NANOS) {
            return Optional.empty();
        }
        Stretch stretch = new Stretch(s);
        stretch.add(s);
        return Optional.of(stretch.toSecond());
    }

    private void close() {
        if (open != null) {
            seconds.add(open.toSecond());
            if (open.phase == Phase.MEASURE) {
                long arrived = produces ? open.producedArrived : open.consumedArrived;
                steadiness.add(open.seconds(), open.measuredDue, arrived, open.response);
            }
            open = null;
        }
    }

    private static final class Stretch {
        private final long sequence;
        private final long from;
        private final Phase phase;
        private final Map<String, Long> lag = new HashMap<>();
        private long to;
        private long due;
        private long produced;
        private long producedBytes;
        private long consumed;
        private long errors;
        private long measuredDue;
        private long producedArrived;
        private long consumedArrived;
        private long cpuNanos;
        private Latencies response = Latencies.EMPTY;

        Stretch(Snapshot first) {
            sequence = first.sequence();
            from = first.fromNanos();
            phase = first.phase();
        }

        void add(Snapshot s) {
            to = Math.max(to, s.toNanos());
            for (var window : List.of(s.warmup(), s.measured())) {
                due += window.produce().due();
                // Not `arrived`, which has no meaning in the drain: what was acknowledged in this stretch.
                produced += window.produce().acknowledged();
                producedBytes += window.produce().acknowledgedBytes();
                consumed += window.consume().records();
                errors += window.produce().errorTotal() + total(window.consume().errors());
                response = response.plus(window.produce().responseTime());
            }
            measuredDue += s.measured().produce().due();
            producedArrived += s.measured().produce().arrived();
            consumedArrived += s.measured().consume().arrived();
            cpuNanos += s.generator().cpuNanos();
            lag.putAll(s.lag());
        }

        double seconds() {
            return Math.max(to - from, 1) / 1e9;
        }

        Second toSecond() {
            boolean answered = !response.isEmpty();
            return new Second(
                    Math.round(to / 1e6) / 1e3,
                    phase.name().toLowerCase(Locale.ROOT),
                    due / seconds(),
                    produced / seconds(),
                    producedBytes / seconds(),
                    answered ? response.percentileMicros(50) : null,
                    answered ? response.percentileMicros(99) : null,
                    answered ? response.maxMicros() : null,
                    errors,
                    consumed / seconds(),
                    lag.isEmpty() ? null : total(lag),
                    cpuNanos / 1e9 / seconds());
        }

        private static long total(Map<String, Long> counts) {
            return counts.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
