package io.plimsoll.observe.host;

import io.plimsoll.text.Sentence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One measured limit of the host: a stable dotted name such as {@code disk.write.direct}, the value in {@code unit}
 * ({@code MB/s}, MB = 10^6 bytes, or {@code us}), and the method. Immutable.
 */
public record Measurement(String name, Fact<Double> value, String unit, Sentence how) {
    public static final String MEGABYTES_PER_SECOND = "MB/s";
    public static final String MICROSECONDS = "us";

    static Measurement throughput(String name, long bytes, long nanos, Sentence how) {
        double megabytesPerSecond = bytes * 1e3 / Math.max(1, nanos);
        return new Measurement(name, Fact.of(megabytesPerSecond), MEGABYTES_PER_SECOND, how);
    }

    static Measurement notMeasured(String name, String unit, Sentence why, Sentence how) {
        return new Measurement(name, Fact.unknown("observe.notMeasured", why), unit, how);
    }

    Sentence label() {
        String measured = name.replaceFirst("\\.(p50|p99|max)$", "");
        Sentence label = Sentence.of("observe.label." + measured);
        return measured.equals(name)
                ? label
                : Sentence.of("observe.statistic", label, name.substring(measured.length() + 1));
    }

    /** Plain values for JSON: either {@code value} and {@code unit}, or {@code notMeasured}. */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", name);
        if (value.isKnown()) {
            map.put("value", value.value());
            map.put("unit", unit);
        } else {
            map.put("notMeasured", value.words().english());
        }
        map.put("how", how.english());
        return map;
    }

    /** The durations of repeated calls, as p50, p99 and maximum. Not thread-safe. */
    static final class CallTimes {
        /** Minimum number of calls for a p99; with fewer, it would only be the maximum. */
        static final int SAMPLES_FOR_P99 = 100;

        private final Histogram nanos = new Histogram(3);

        void record(long durationNanos) {
            nanos.recordValue(Math.max(0, durationNanos));
        }

        long count() {
            return nanos.getTotalCount();
        }

        List<Measurement> measurements(String name, Sentence how) {
            Sentence counted = Sentence.of("observe.how.times", how, String.format(Locale.ROOT, "%,d", count()));
            return List.of(
                    measurement(name + ".p50", percentile(50, 1), counted),
                    measurement(name + ".p99", percentile(99, SAMPLES_FOR_P99), counted),
                    measurement(name + ".max", percentile(100, 1), counted));
        }

        private static Measurement measurement(String name, Fact<Double> value, Sentence how) {
            return new Measurement(name, value, Measurement.MICROSECONDS, how);
        }

        private Fact<Double> percentile(double percentile, int samplesNeeded) {
            return count() < samplesNeeded
                    ? Fact.unknown("observe.notMeasured", Sentence.of("observe.tooFew", count()))
                    : Fact.of(nanos.getValueAtPercentile(percentile) / 1e3);
        }
    }
}
