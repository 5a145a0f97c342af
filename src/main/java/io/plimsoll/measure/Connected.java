package io.plimsoll.measure;

import java.util.List;
import java.util.Map;

/** Metrics of connections without records; absent from loads without such connections. */
public final class Connected {
    static final String FAMILY = "connect";

    /** Counts by name; the names are the constants below. */
    public static final Metric<Map<String, Long>> COUNTS = Metric.counts("connect.counts.*");

    /** Duration of each stage of successful attempts, and of {@link #WHOLE} and {@link #BACK}. */
    public static final Metric<Map<String, Latencies>> TIMES = Metric.latencies("connect.times.*");

    /** Established connections: authenticated and with metadata of the cluster. */
    public static final String OPENED = "opened";
    /** Established connections closed by the other end or by an error. */
    public static final String DROPPED = "dropped";
    /** Connections that were down at the end of the load. */
    public static final String MISSING = "missing";
    /** Total connected time of all connections, in nanoseconds. */
    public static final String STANDING_NANOS = "standingNanos";
    /** Name prefix of failed attempts, followed by the failed stage or {@link #TIMEOUT}. */
    public static final String FAILED = "failed.";
    /** Time from the start of an attempt to the established connection. */
    public static final String WHOLE = "time";
    /** Time from the loss of a connection until it is established again, over all attempts. */
    public static final String BACK = "back";

    /** Time from the start of the load until a connection is established for the first time. */
    public static final String FIRST_OPEN = "firstOpen";

    public static final String TCP = "tcp";
    /** TLS handshake; only with encrypted listeners. */
    public static final String TLS = "tls";
    /** SASL authentication; only with listeners that authenticate clients. */
    public static final String LOGIN = "login";
    /** Requests for API versions and cluster metadata. */
    public static final String METADATA = "metadata";

    public static final String TIMEOUT = "timeout";

    /** All labels of {@link #TIMES}. */
    public static final List<String> STAGES = List.of(TCP, TLS, LOGIN, METADATA, WHOLE, BACK, FIRST_OPEN);

    /** Whether the load includes connections without records. */
    public static boolean any(Counts counts) {
        return counts.has(FAMILY);
    }

    public static long count(Counts counts, String name) {
        return counts.get(COUNTS).getOrDefault(name, 0L);
    }

    public static Latencies time(Counts counts, String stage) {
        return counts.get(TIMES).getOrDefault(stage, Latencies.EMPTY);
    }

    /** Number of failed attempts in all stages. */
    public static long failed(Counts counts) {
        return counts.get(COUNTS).entrySet().stream()
                .filter(e -> e.getKey().startsWith(FAILED))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
