package io.plimsoll.measure;

import java.util.Map;

/** What an application answered to the records of a load; absent where no answers are waited for. */
public final class Replied {
    static final String FAMILY = "reply";

    public static final Metric<Map<String, Long>> COUNTS = Metric.counts("reply.counts.*");

    public static final Metric<Map<String, Latencies>> TIMES = Metric.latencies("reply.times.*");

    private Replied() {}

    /** Whether answers are waited for. */
    public static boolean any(Counts counts) {
        return counts.has(FAMILY);
    }
}
