package io.plimsoll.report.omb;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.Window;
import io.plimsoll.result.TimelineEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Folds the timeline of one trial into OpenMessaging Benchmark's figures. Used by one thread. */
final class OmbFold {
    private static final int TICKS_PER_HALF_DISTANCE = 100;
    /** A rest that is too short for a rate joins the period before it. */
    private static final double LEAST_SHARE = 0.2;

    private static final double MICROS_PER_MILLI = 1_000;

    private final String trial;
    private final long periodNanos;
    private final List<Period> periods = new ArrayList<>();
    private Window measured = Window.ZERO;
    private long warmupNanos;

    OmbFold(String trial, long periodNanos) {
        this.trial = trial;
        this.periodNanos = periodNanos;
    }

    void accept(TimelineEvent event) {
        if (event instanceof TimelineEvent.TrialStarted started
                && started.name().equals(trial)) {
            warmupNanos = Math.round(started.plan().course().warmupSeconds() * 1e9);
        }
        if (!(event instanceof TimelineEvent.Measured m)
                || !m.snapshot().trial().equals(trial)) {
            return;
        }
        Snapshot snapshot = m.snapshot();
        measured = measured.plus(snapshot.measured());
        if (snapshot.phase() == Phase.MEASURE) {
            long middle = (snapshot.fromNanos() + snapshot.toNanos()) / 2 - warmupNanos;
            int index = (int) Math.max(0, middle / periodNanos);
            while (periods.size() <= index) {
                periods.add(new Period());
            }
            periods.get(index).add(snapshot);
        }
    }

    boolean isEmpty() {
        return periods.isEmpty();
    }

    /** One length of time; figures of all workers together. */
    private static final class Period {
        private long from = Long.MAX_VALUE;
        private long to;
        private Window window = Window.ZERO;
        private final Map<String, Long> lag = new HashMap<>();

        void add(Snapshot s) {
            from = Math.min(from, s.fromNanos());
            to = Math.max(to, s.toNanos());
            window = window.plus(s.measured());
            lag.putAll(s.lag());
        }

        void add(Period next) {
            from = Math.min(from, next.from);
            to = Math.max(to, next.to);
            window = window.plus(next.window);
            lag.putAll(next.lag);
        }

        double seconds() {
            return Math.max(1, to - from) / 1e9;
        }
    }

    /** All fields after the header, in OpenMessaging Benchmark's order. */
    Map<String, Object> figures() {
        joinRest();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("publishRate", each(p -> p.window.produce().volume().arrived() / p.seconds()));
        figures.put("publishErrorRate", each(p -> p.window.produce().errorTotal() / p.seconds()));
        figures.put("consumeRate", each(p -> p.window.consume().arrived() / p.seconds()));
        figures.put(
                "backlog",
                each(p -> p.lag.values().stream().mapToLong(Long::longValue).sum()));
        perPeriod(figures, Kind.PUBLISH);
        perPeriod(figures, Kind.DELAY);
        aggregated(figures, Kind.PUBLISH);
        aggregated(figures, Kind.DELAY);
        quantiles(figures, Kind.PUBLISH);
        quantiles(figures, Kind.DELAY);
        perPeriod(figures, Kind.END_TO_END);
        quantiles(figures, Kind.END_TO_END);
        aggregated(figures, Kind.END_TO_END);
        return figures;
    }

    private void joinRest() {
        periods.removeIf(p -> p.from == Long.MAX_VALUE);
        int last = periods.size() - 1;
        if (last > 0 && periods.get(last).seconds() < LEAST_SHARE * periodNanos / 1e9) {
            periods.get(last - 1).add(periods.remove(last));
        }
    }

    private interface OfPeriod {
        Object of(Period period);
    }

    private List<Object> each(OfPeriod figure) {
        return periods.stream().map(figure::of).toList();
    }

    private void perPeriod(Map<String, Object> figures, Kind kind) {
        kind.statistics()
                .forEach((suffix, statistic) ->
                        figures.put(kind.period + suffix, each(p -> statistic.of(kind.latencies.of(p.window)))));
    }

    private void aggregated(Map<String, Object> figures, Kind kind) {
        Latencies all = kind.latencies.of(measured);
        kind.statistics().forEach((suffix, statistic) -> figures.put(kind.aggregated + suffix, statistic.of(all)));
    }

    private void quantiles(Map<String, Object> figures, Kind kind) {
        Map<Double, Object> quantiles = new TreeMap<>();
        Histogram histogram = kind.latencies.of(measured).toHistogram();
        for (HistogramIterationValue value : histogram.percentiles(TICKS_PER_HALF_DISTANCE)) {
            quantiles.put(value.getPercentile(), kind.shown(value.getValueIteratedTo()));
        }
        figures.put(kind.aggregated + "Quantiles", quantiles);
    }

    private interface Statistic {
        Object of(Latencies latencies);
    }

    private interface OfWindow {
        Latencies of(Window window);
    }

    /** A figure of OpenMessaging Benchmark, and the names of it. */
    private enum Kind {
        PUBLISH("publishLatency", "aggregatedPublishLatency", true, w -> w.produce()
                .times()
                .serviceTime()),
        DELAY("publishDelayLatency", "aggregatedPublishDelayLatency", false, w -> w.produce()
                .times()
                .sendDelay()),
        END_TO_END("endToEndLatency", "aggregatedEndToEndLatency", true, w -> w.consume()
                .endToEnd());

        private final String period;
        private final String aggregated;
        private final boolean millis;
        private final OfWindow latencies;

        Kind(String period, String aggregated, boolean millis, OfWindow latencies) {
            this.period = period;
            this.aggregated = aggregated;
            this.millis = millis;
            this.latencies = latencies;
        }

        /** Milliseconds with a fraction, or whole microseconds. */
        Object shown(long micros) {
            return millis ? (Object) (micros / MICROS_PER_MILLI) : (Object) micros;
        }

        Map<String, Statistic> statistics() {
            Map<String, Statistic> statistics = new LinkedHashMap<>();
            statistics.put("Avg", l -> millis ? l.meanMicros() / MICROS_PER_MILLI : l.meanMicros());
            statistics.put("50pct", l -> shown(l.percentileMicros(50)));
            statistics.put("75pct", l -> shown(l.percentileMicros(75)));
            statistics.put("95pct", l -> shown(l.percentileMicros(95)));
            statistics.put("99pct", l -> shown(l.percentileMicros(99)));
            statistics.put("999pct", l -> shown(l.percentileMicros(99.9)));
            statistics.put("9999pct", l -> shown(l.percentileMicros(99.99)));
            statistics.put("Max", l -> shown(l.maxMicros()));
            return statistics;
        }
    }
}
