package io.plimsoll.result;

import io.plimsoll.measure.Latencies;
import io.plimsoll.result.TrialResult.Latency;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A statistic of a distribution, and the last part of a figure's name. */
public enum Statistic {
    MIN("min", Latency::min, Latencies::minMicros),
    MEAN("mean", Latency::mean, Latencies::meanMicros),
    P50("p50", l -> l.percentiles().p50()),
    P75("p75", l -> l.percentiles().p75()),
    P90("p90", l -> l.percentiles().p90()),
    P95("p95", l -> l.percentiles().p95()),
    P99("p99", l -> l.percentiles().p99()),
    P999("p99.9", l -> l.percentiles().p999()),
    P9999("p99.99", l -> l.percentiles().p9999()),
    MAX("max", Latency::max, Latencies::maxMicros);

    /** Minimum number of samples beyond a percentile; with fewer, it depends more on chance than on the cluster. */
    private static final long LEAST_SAMPLES_BEYOND = 10;

    private static final long WHOLE = 1_000_000;

    private final String text;
    /**
     * Share of the samples above the percentile in millionths: an integer, so that ten samples do not become 9.999….
     */
    private final long beyond;

    private final Function<Latency, Number> ofResult;
    private final Function<Latencies, Number> ofHistogram;

    Statistic(String text, Function<Latency, Number> ofResult, Function<Latencies, Number> ofHistogram) {
        this.text = text;
        this.beyond = WHOLE;
        this.ofResult = ofResult;
        this.ofHistogram = ofHistogram;
    }

    Statistic(String text, Function<Latency, Number> ofResult) {
        double percentile = Double.parseDouble(text.substring(1));
        this.text = text;
        this.beyond = WHOLE - Math.round(percentile * 10_000);
        this.ofResult = ofResult;
        this.ofHistogram = l -> l.percentileMicros(percentile);
    }

    /** The last part of a figure's name, and the field name in results. */
    public String text() {
        return text;
    }

    /** The value in microseconds; null if the result has no value. */
    public @Nullable Number of(@Nullable Latency latency) {
        return latency == null ? null : ofResult.apply(latency);
    }

    /** The value in microseconds; null without samples. */
    public @Nullable Double of(Latencies latencies) {
        return latencies.isEmpty()
                ? null
                : Double.valueOf(ofHistogram.apply(latencies).doubleValue());
    }

    /** Share of the samples above a percentile, 0 to 1. */
    public double beyond() {
        return (double) beyond / WHOLE;
    }

    /** A percentile as in results: null if too few samples are above it. */
    @Nullable
    Long percentile(Latencies latencies) {
        return isKnown(latencies.count()) ? (Long) ofHistogram.apply(latencies) : null;
    }

    /** Whether this number of samples is sufficient for the statistic. */
    boolean isKnown(long count) {
        return beyond == WHOLE ? count > 0 : count * beyond >= LEAST_SAMPLES_BEYOND * WHOLE;
    }

    /** Whether the statistic is exact although only a lower bound is known for {@code atLeast} of the samples. */
    boolean isCertain(long count, long atLeast) {
        return beyond == WHOLE ? atLeast == 0 || this == MIN : atLeast * WHOLE <= count * beyond;
    }
}
