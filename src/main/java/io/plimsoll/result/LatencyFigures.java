package io.plimsoll.result;

import io.plimsoll.measure.Latencies;

/** From a merged histogram to the figures that may be printed of it. */
public final class LatencyFigures {
    /** A percentile with fewer samples beyond it says more about chance than about the cluster. */
    static final long LEAST_SAMPLES_BEYOND = 10;

    private static final long WHOLE = 1_000_000;

    private LatencyFigures() {}

    public static TrialResult.Latency of(Latencies latencies) {
        boolean empty = latencies.isEmpty();
        return new TrialResult.Latency(
                "us",
                latencies.count(),
                empty ? null : latencies.minMicros(),
                empty ? null : latencies.meanMicros(),
                new TrialResult.Percentiles(
                        percentile(latencies, 500_000),
                        percentile(latencies, 750_000),
                        percentile(latencies, 900_000),
                        percentile(latencies, 950_000),
                        percentile(latencies, 990_000),
                        percentile(latencies, 999_000),
                        percentile(latencies, 999_900)),
                empty ? null : latencies.maxMicros());
    }

    /**
     * Whether so many samples have a figure.
     *
     * @param figure as results name it, such as {@code p99.9} or {@code max}
     */
    public static boolean enough(long count, String figure) {
        if (!figure.matches("p[0-9.]+")) {
            return count > 0;
        }
        return enough(count, millionths(figure));
    }

    private static boolean enough(long count, long millionths) {
        return count * (WHOLE - millionths) >= LEAST_SAMPLES_BEYOND * WHOLE;
    }

    /**
     * Whether a figure stays the same however much longer some of the samples took.
     *
     * @param figure as results name it, such as {@code p99.9} or {@code max}
     * @param atLeast number of samples at or above the value with which they count
     */
    static boolean certain(long count, String figure, long atLeast) {
        if (!figure.matches("p[0-9.]+")) {
            return atLeast == 0 || figure.equals(Statistic.MIN.text());
        }
        return atLeast * WHOLE <= count * (WHOLE - millionths(figure));
    }

    private static long millionths(String percentile) {
        return Math.round(Double.parseDouble(percentile.substring(1)) * 10_000);
    }

    /** @param millionths in whole numbers, so that exactly ten samples beyond p90 are not 9.999… of them */
    private static Long percentile(Latencies latencies, long millionths) {
        return enough(latencies.count(), millionths) ? latencies.percentileMicros(millionths / 10_000.0) : null;
    }
}
