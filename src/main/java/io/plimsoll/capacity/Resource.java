package io.plimsoll.capacity;

import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** What a load takes of a broker, as its figures in a trial tell. */
public enum Resource {
    CPU("cpu", "cores", "cpu", b -> number(b, "cpu")),
    NETWORK_IN("networkIn", "bytes/s", "network", b -> sum(b, "bytesIn", "replicationBytesIn")),
    NETWORK_OUT("networkOut", "bytes/s", "network", b -> sum(b, "bytesOut", "replicationBytesOut")),
    /** What is appended to logs: brokers write it to their disks sooner or later. */
    DISK_WRITE("diskWrite", "bytes/s", "disk", b -> sum(b, "bytesIn", "replicationBytesIn")),
    /** What was no longer in the page cache. */
    DISK_READ("diskRead", "bytes/s", "disk", b -> number(b, "diskReadBytes")),
    HANDLERS("handlers", "share", null, b -> busy(b, "handlerIdle")),
    NETWORK_THREADS("networkThreads", "share", null, b -> busy(b, "networkIdle"));

    private final String id;
    private final String unit;
    private final String given;
    private final Function<Map<String, Object>, Double> read;

    Resource(String id, String unit, String given, Function<Map<String, Object>, Double> read) {
        this.id = id;
        this.unit = unit;
        this.given = given;
        this.read = read;
    }

    String id() {
        return id;
    }

    /** {@code cores}, {@code bytes/s}, or {@code share} of the time of its threads. */
    String unit() {
        return unit;
    }

    /** What {@link BrokerLimits} call it; null for what a broker has whole. */
    String given() {
        return given;
    }

    Sentence title() {
        return Sentence.of("capacity.resource." + name().toLowerCase(Locale.ROOT));
    }

    /** How much all of these brokers use together; null if one does not tell. */
    public Double used(List<Map<String, Object>> brokers) {
        double sum = 0;
        for (Map<String, Object> broker : brokers) {
            Double each = read.apply(broker);
            if (each == null) {
                return null;
            }
            sum += each;
        }
        return brokers.isEmpty() ? null : sum;
    }

    /** That all of these brokers are sent per second by producers, consumers and followers; null if one does not tell. */
    static Double requests(List<Map<String, Object>> brokers) {
        double sum = 0;
        for (Map<String, Object> broker : brokers) {
            Double clients = sum(broker, "produceRequests", "fetchRequests");
            Double followers = number(broker, "followerRequests");
            if (clients == null) {
                return null;
            }
            sum += clients + (followers == null ? 0 : followers);
        }
        return sum > 0 ? Double.valueOf(sum) : null;
    }

    static Double number(Map<String, Object> broker, String figure) {
        return broker.get(figure) instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
    }

    /** What has never happened to a broker it does not count. */
    private static Double sum(Map<String, Object> broker, String first, String second) {
        Double one = number(broker, first);
        Double other = number(broker, second);
        return one == null ? null : Double.valueOf(one + (other == null ? 0 : other));
    }

    private static Double busy(Map<String, Object> broker, String idle) {
        Double share = number(broker, idle);
        return share == null ? null : Double.valueOf(1 - share);
    }
}
