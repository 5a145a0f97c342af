package io.plimsoll.observe.host;

import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The durations of repeated calls, as p50, p99 and maximum. Not thread-safe. */
final class CallTimes {
    /** Below this a p99 would be the maximum under another name. */
    static final int SAMPLES_FOR_P99 = 100;

    private final Histogram nanos = new Histogram(3);

    void record(long durationNanos) {
        nanos.recordValue(Math.max(0, durationNanos));
    }

    long count() {
        return nanos.getTotalCount();
    }

    /** @param call what one call is, for example "fsync" */
    List<Measurement> measurements(String name, String label, String call, String how) {
        String counted = String.format(Locale.ROOT, "%s; %,d times", how, count());
        return List.of(
                measurement(name, label, "p50", percentile(50, 1, call), counted),
                measurement(name, label, "p99", percentile(99, SAMPLES_FOR_P99, call), counted),
                measurement(name, label, "max", percentile(100, 1, call), counted));
    }

    private static Measurement measurement(
            String name, String label, String statistic, Fact<Double> value, String how) {
        return new Measurement(name + "." + statistic, label + " " + statistic, value, Measurement.MICROSECONDS, how);
    }

    private Fact<Double> percentile(double percentile, int samplesNeeded, String call) {
        return count() < samplesNeeded
                ? Fact.unknown("not measured: too few for it, " + count() + " × " + call)
                : Fact.of(nanos.getValueAtPercentile(percentile) / 1e3);
    }
}
