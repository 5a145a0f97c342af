package io.plimsoll.measure;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was counted by name in some stretch of time: of connections that carry no records, with the names below, or of an
 * application's answers; accounts add up.
 *
 * @param counts by name; what is not there is 0
 * @param times by name; of connections how long each stage took of attempts that came so far, and {@link #WHOLE} and {@link
 *     #BACK}
 */
public record NamedCounts(Map<String, Long> counts, Map<String, Latencies> times) {
    /** Connections that came to stand: logged in, and told which brokers there are. */
    public static final String OPENED = "opened";
    /** Connections that stood, and ended although nobody here had asked for it. */
    public static final String DROPPED = "dropped";
    /** Connections that did not stand when the load ended. */
    public static final String MISSING = "missing";
    /** The nanoseconds for which connections stood, of all together. */
    public static final String STANDING_NANOS = "standingNanos";
    /** Attempts that came to nothing, by the stage in which they did, or {@code timeout}, which follows. */
    public static final String FAILED = "failed.";
    /** From the begin of an attempt until the connection stands. */
    public static final String WHOLE = "time";
    /** From the end of a connection that stood, unasked, until it stands again, however many attempts that takes. */
    public static final String BACK = "back";

    public static final String TCP = "tcp";
    /** Only where brokers encrypt. */
    public static final String TLS = "tls";
    /** By SASL, only where brokers ask for it. */
    public static final String LOGIN = "login";
    /** Until a client knows what the broker speaks, and the brokers of the cluster. */
    public static final String METADATA = "metadata";

    public static final String TIMEOUT = "timeout";

    /** Everything that {@link #times} may have. */
    public static final List<String> TIMES = List.of(TCP, TLS, LOGIN, METADATA, WHOLE, BACK);

    public NamedCounts {
        counts = Map.copyOf(counts);
        times = Map.copyOf(times);
    }

    public long count(String name) {
        return counts.getOrDefault(name, 0L);
    }

    public Latencies time(String name) {
        return times.getOrDefault(name, Latencies.EMPTY);
    }

    /** All attempts that came to nothing. */
    public long failed() {
        return counts.entrySet().stream()
                .filter(e -> e.getKey().startsWith(FAILED))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    public NamedCounts plus(NamedCounts o) {
        Map<String, Latencies> all = new TreeMap<>(times);
        o.times.forEach((stage, more) -> all.merge(stage, more, Latencies::plus));
        return new NamedCounts(ProduceCounts.sum(counts, o.counts), all);
    }

    /** Both together; null if neither has any. */
    public static NamedCounts sum(NamedCounts one, NamedCounts other) {
        return one == null || other == null ? (one == null ? other : one) : one.plus(other);
    }
}
