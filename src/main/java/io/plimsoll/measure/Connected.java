package io.plimsoll.measure;

import java.util.List;
import java.util.Map;

/** What connections without records count; absent of loads that have none. */
public final class Connected {
    static final String FAMILY = "connect";

    /** Counts by name: the names below. */
    public static final Metric<Map<String, Long>> COUNTS = Metric.counts("connect.counts.*");

    /** How long each stage took of attempts that came so far, and {@link #WHOLE} and {@link #BACK}. */
    public static final Metric<Map<String, Latencies>> TIMES = Metric.latencies("connect.times.*");

    /** Connections that were established: logged in, and told which brokers there are. */
    public static final String OPENED = "opened";
    /** Established connections that ended unasked. */
    public static final String DROPPED = "dropped";
    /** Connections that were down when the load ended. */
    public static final String MISSING = "missing";
    /** The nanoseconds for which connections were established, of all together. */
    public static final String STANDING_NANOS = "standingNanos";
    /** Begins the name of failed attempts; the stage in which they failed follows, or {@link #TIMEOUT}. */
    public static final String FAILED = "failed.";
    /** From the begin of an attempt until the connection is established. */
    public static final String WHOLE = "time";
    /** From the unasked end of a connection until it is established again, however many attempts that takes. */
    public static final String BACK = "back";

    public static final String TCP = "tcp";
    /** Only where brokers encrypt. */
    public static final String TLS = "tls";
    /** By SASL, only where brokers ask for it. */
    public static final String LOGIN = "login";
    /** Until a client knows what the broker speaks, and the brokers of the cluster. */
    public static final String METADATA = "metadata";

    public static final String TIMEOUT = "timeout";

    /** Everything that {@link #TIMES} may have. */
    public static final List<String> STAGES = List.of(TCP, TLS, LOGIN, METADATA, WHOLE, BACK);

    private Connected() {}

    /** Whether a load has connections of its own. */
    public static boolean any(Counts counts) {
        return counts.has(FAMILY);
    }

    /** One of the counts by name. */
    public static long count(Counts counts, String name) {
        return counts.get(COUNTS).getOrDefault(name, 0L);
    }

    /** The times of one stage. */
    public static Latencies time(Counts counts, String stage) {
        return counts.get(TIMES).getOrDefault(stage, Latencies.EMPTY);
    }

    /** All failed attempts. */
    public static long failed(Counts counts) {
        return counts.get(COUNTS).entrySet().stream()
                .filter(e -> e.getKey().startsWith(FAILED))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
