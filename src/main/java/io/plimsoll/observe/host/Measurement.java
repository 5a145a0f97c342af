package io.plimsoll.observe.host;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One measured limit of the host. Immutable.
 *
 * @param name stable dotted name for scripts, for example {@code disk.write.direct}
 * @param label the same for people
 * @param value in {@code unit}, or why it was not measured
 * @param unit {@code MB/s} (MB = 10^6 bytes) or {@code us} (microseconds)
 * @param how in a few words how it was measured
 */
public record Measurement(String name, String label, Fact<Double> value, String unit, String how) {
    public static final String MEGABYTES_PER_SECOND = "MB/s";
    public static final String MICROSECONDS = "us";

    static Measurement throughput(String name, String label, long bytes, long nanos, String how) {
        double megabytesPerSecond = bytes * 1e3 / Math.max(1, nanos);
        return new Measurement(name, label, Fact.of(megabytesPerSecond), MEGABYTES_PER_SECOND, how);
    }

    static Measurement notMeasured(String name, String label, String unit, String words, String how) {
        return new Measurement(name, label, Fact.unknown("not measured: " + words), unit, how);
    }

    /** Plain values for JSON: either {@code value} and {@code unit}, or {@code notMeasured}. */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", name);
        if (value.isKnown()) {
            map.put("value", value.value());
            map.put("unit", unit);
        } else {
            map.put("notMeasured", value.words());
        }
        map.put("how", how);
        return map;
    }
}
