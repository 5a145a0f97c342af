package io.plimsoll.measure;

import java.util.Map;

/** Metrics of an application's replies to the load's records; absent if the scenario expects no replies. */
public final class Replied {
    static final String FAMILY = "reply";

    public static final Metric<Map<String, Long>> COUNTS = Metric.counts("reply.counts.*");

    public static final Metric<Map<String, Latencies>> TIMES = Metric.latencies("reply.times.*");

    /** Whether replies are expected. */
    public static boolean any(Counts counts) {
        return counts.has(FAMILY);
    }
}
