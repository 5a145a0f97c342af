package io.plimsoll.capacity;

import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A resource of a broker, read from its figures in a trial. */
public enum Resource {
    CPU("cpu", "cores", "cpu", b -> number(b, "cpu")),
    NETWORK_IN("networkIn", "bytes/s", "network", b -> sum(b, "bytesIn", "replicationBytesIn")),
    NETWORK_OUT("networkOut", "bytes/s", "network", b -> sum(b, "bytesOut", "replicationBytesOut")),
    /** Bytes appended to logs, which brokers eventually write to disk. */
    DISK_WRITE("diskWrite", "bytes/s", "disk", b -> sum(b, "bytesIn", "replicationBytesIn")),
    /** Reads that miss the page cache. */
    DISK_READ("diskRead", "bytes/s", "disk", b -> number(b, "diskReadBytes")),
    HANDLERS("handlers", "share", null, b -> busy(b, "handlerIdle")),
    NETWORK_THREADS("networkThreads", "share", null, b -> busy(b, "networkIdle"));

    private final String id;
    private final String unit;
    private final @Nullable String given;
    private final Function<Map<String, Object>, Double> read;

    Resource(String id, String unit, @Nullable String given, Function<Map<String, Object>, Double> read) {
        this.id = id;
        this.unit = unit;
        this.given = given;
        this.read = read;
    }

    String id() {
        return id;
    }

    /** {@code cores}, {@code bytes/s}, or {@code share} of thread time. */
    String unit() {
        return unit;
    }

    /** The name of this resource in {@link BrokerLimits}; null if its limit is 1. */
    @Nullable
    String given() {
        return given;
    }

    Sentence title() {
        return Sentence.of("capacity.resource." + name().toLowerCase(Locale.ROOT));
    }

    /** Total usage of these brokers; null if a broker does not report the resource. */
    public @Nullable Double used(List<Map<String, Object>> brokers) {
        return sum(brokers, read);
    }

    /** Requests per second of producers, consumers and followers. */
    static @Nullable Double requests(List<Map<String, Object>> brokers) {
        Double sum = sum(brokers, b -> sum(b, "produceRequests", "fetchRequests", "followerRequests"));
        return sum == null || sum <= 0 ? null : sum;
    }

    private static @Nullable Double sum(
            List<Map<String, Object>> brokers, Function<Map<String, Object>, Double> figure) {
        List<Double> all = brokers.stream().map(figure).toList();
        return all.isEmpty() || all.contains(null)
                ? null
                : all.stream().mapToDouble(Double::doubleValue).sum();
    }

    static @Nullable Double number(Map<String, Object> broker, String figure) {
        return broker.get(figure) instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
    }

    /**
     * The sum of the figures; null without the first figure. Brokers report each of the other figures only after the
     * first event that it counts.
     */
    private static @Nullable Double sum(Map<String, Object> broker, String first, String... other) {
        Double sum = number(broker, first);
        for (String figure : other) {
            Double more = number(broker, figure);
            sum = sum == null || more == null ? sum : Double.valueOf(sum + more);
        }
        return sum;
    }

    private static @Nullable Double busy(Map<String, Object> broker, String idle) {
        Double share = number(broker, idle);
        return share == null ? null : Double.valueOf(1 - share);
    }
}
