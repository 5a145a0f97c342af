package io.plimsoll.result;

import io.plimsoll.measure.Latencies;
import io.plimsoll.result.TrialResult.Latency;
import java.util.function.Function;

/** A statistic of a distribution, as figures are named by it. */
public enum Statistic {
    MIN("min", Latency::min, Latencies::minMicros),
    MEAN("mean", Latency::mean, Latencies::meanMicros),
    P50("p50", l -> l.percentiles().p50(), l -> l.percentileMicros(50)),
    P75("p75", l -> l.percentiles().p75(), l -> l.percentileMicros(75)),
    P90("p90", l -> l.percentiles().p90(), l -> l.percentileMicros(90)),
    P95("p95", l -> l.percentiles().p95(), l -> l.percentileMicros(95)),
    P99("p99", l -> l.percentiles().p99(), l -> l.percentileMicros(99)),
    P999("p99.9", l -> l.percentiles().p999(), l -> l.percentileMicros(99.9)),
    P9999("p99.99", l -> l.percentiles().p9999(), l -> l.percentileMicros(99.99)),
    MAX("max", Latency::max, Latencies::maxMicros);

    private final String text;
    private final Function<Latency, Number> ofResult;
    private final Function<Latencies, Number> ofHistogram;

    Statistic(String text, Function<Latency, Number> ofResult, Function<Latencies, Number> ofHistogram) {
        this.text = text;
        this.ofResult = ofResult;
        this.ofHistogram = ofHistogram;
    }

    /** As a figure's name ends, and as fields of results are called. */
    public String text() {
        return text;
    }

    /** In microseconds; null where a result has none. */
    public Number of(Latency latency) {
        return latency == null ? null : ofResult.apply(latency);
    }

    /** In microseconds; null without samples. */
    public Double of(Latencies latencies) {
        return latencies.isEmpty()
                ? null
                : Double.valueOf(ofHistogram.apply(latencies).doubleValue());
    }
}
