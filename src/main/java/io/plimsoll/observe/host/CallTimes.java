package io.plimsoll.observe.host;

import io.plimsoll.text.Sentence;
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

    /** @param call name of one call, for example "fsync" */
    List<Measurement> measurements(String name, String call, Sentence how) {
        Sentence counted = Sentence.of("observe.how.times", how, String.format(Locale.ROOT, "%,d", count()));
        return List.of(
                measurement(name + ".p50", percentile(50, 1, call), counted),
                measurement(name + ".p99", percentile(99, SAMPLES_FOR_P99, call), counted),
                measurement(name + ".max", percentile(100, 1, call), counted));
    }

    private static Measurement measurement(String name, Fact<Double> value, Sentence how) {
        return new Measurement(name, value, Measurement.MICROSECONDS, how);
    }

    private Fact<Double> percentile(double percentile, int samplesNeeded, String call) {
        return count() < samplesNeeded
                ? Fact.unknown("observe.notMeasured", Sentence.of("observe.tooFew", count(), call))
                : Fact.of(nanos.getValueAtPercentile(percentile) / 1e3);
    }
}
