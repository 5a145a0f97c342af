package io.plimsoll.report.omb;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.Window;
import io.plimsoll.measure.Window.WindowSum;
import io.plimsoll.result.TimelineEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Folds the timeline of one trial into OpenMessaging Benchmark's figures. Used by one thread. */
final class OmbFold {
    private static final int TICKS_PER_HALF_DISTANCE = 100;
    /** A rest that is too short for a rate joins the period before it. */
    private static final double LEAST_SHARE = 0.2;

    private static final double MICROS_PER_MILLI = 1_000;

    private static final Map<String, Function<Latencies, Number>> STATISTICS = statistics();

    private final String trial;
    private final long periodNanos;
    private final List<Period> periods = new ArrayList<>();
    private final WindowSum measured = new WindowSum();
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
        if (event instanceof TimelineEvent.WarmupEnded ended && ended.trial().equals(trial)) {
            warmupNanos = Math.round(ended.seconds() * 1e9);
        }
        if (!(event instanceof TimelineEvent.Measured m)
                || !m.snapshot().trial().equals(trial)) {
            return;
        }
        Snapshot snapshot = m.snapshot();
        measured.add(snapshot.measured());
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

    private static final class Period {
        private long from = Long.MAX_VALUE;
        private long to;
        private final WindowSum sum = new WindowSum();
        private final Map<String, Long> lag = new HashMap<>();

        void add(Snapshot s) {
            from = Math.min(from, s.fromNanos());
            to = Math.max(to, s.toNanos());
            sum.add(s.measured());
            lag.putAll(s.lag());
        }

        void add(Period next) {
            to = next.to;
            sum.add(next.sum.total());
            lag.putAll(next.lag);
        }

        double perSecond(long count) {
            return count / seconds();
        }

        double seconds() {
            return Math.max(1, to - from) / 1e9;
        }
    }

    /** All fields after the header, in OpenMessaging Benchmark's order. */
    Map<String, Object> figures() {
        joinRest();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put(
                "publishRate",
                each(p -> p.perSecond(p.sum.total().produce().volume().arrived())));
        figures.put(
                "publishErrorRate",
                each(p -> p.perSecond(p.sum.total().produce().errorTotal())));
        figures.put("consumeRate", each(p -> p.perSecond(p.sum.total().consume().arrived())));
        figures.put(
                "backlog", each(p -> p.lag.values().stream().mapToLong(l -> l).sum()));
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

    private List<Object> each(Function<Period, Object> figure) {
        return periods.stream().map(figure).toList();
    }

    private void perPeriod(Map<String, Object> figures, Kind kind) {
        STATISTICS.forEach((suffix, statistic) -> figures.put(
                kind.period + suffix, each(p -> kind.shown(statistic.apply(kind.latencies.apply(p.sum.total()))))));
    }

    private void aggregated(Map<String, Object> figures, Kind kind) {
        Latencies all = kind.latencies.apply(measured.total());
        STATISTICS.forEach(
                (suffix, statistic) -> figures.put(kind.aggregated + suffix, kind.shown(statistic.apply(all))));
    }

    private void quantiles(Map<String, Object> figures, Kind kind) {
        Map<Double, Object> quantiles = new TreeMap<>();
        Histogram histogram = kind.latencies.apply(measured.total()).toHistogram();
        for (HistogramIterationValue value : histogram.percentiles(TICKS_PER_HALF_DISTANCE)) {
            quantiles.put(value.getPercentile(), kind.shown(value.getValueIteratedTo()));
        }
        figures.put(kind.aggregated + "Quantiles", quantiles);
    }

    private enum Kind {
        PUBLISH("publishLatency", true, w -> w.produce().times().serviceTime()),
        DELAY("publishDelayLatency", false, w -> w.produce().times().sendDelay()),
        END_TO_END("endToEndLatency", true, w -> w.consume().endToEnd());

        private final String period;
        private final String aggregated;
        private final boolean millis;
        private final Function<Window, Latencies> latencies;

        Kind(String period, boolean millis, Function<Window, Latencies> latencies) {
            this.period = period;
            this.aggregated = "aggregated" + period.substring(0, 1).toUpperCase(Locale.ROOT) + period.substring(1);
            this.millis = millis;
            this.latencies = latencies;
        }

        /** Milliseconds with a fraction, or microseconds. */
        Number shown(Number micros) {
            return millis ? Double.valueOf(micros.doubleValue() / MICROS_PER_MILLI) : micros;
        }
    }

    private static Map<String, Function<Latencies, Number>> statistics() {
        Map<String, Function<Latencies, Number>> statistics = new LinkedHashMap<>();
        statistics.put("Avg", Latencies::meanMicros);
        for (String percentile : List.of("50", "75", "95", "99", "99.9", "99.99")) {
            statistics.put(
                    percentile.replace(".", "") + "pct", l -> l.percentileMicros(Double.parseDouble(percentile)));
        }
        statistics.put("Max", Latencies::maxMicros);
        return statistics;
    }
}
