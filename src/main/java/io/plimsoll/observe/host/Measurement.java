package io.plimsoll.observe.host;

import io.plimsoll.text.Sentence;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One measured limit of the host. Immutable.
 *
 * @param name stable dotted name for scripts, for example {@code disk.write.direct}
 * @param value in {@code unit}, or why it was not measured
 * @param unit {@code MB/s} (MB = 10^6 bytes) or {@code us} (microseconds)
 * @param how in a few words how it was measured
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
}
