package io.plimsoll.measure;

import java.util.Map;

/** What consuming counts. Records belong to the window in which they came; times to that of their begin. */
public final class Consumed {
    static final String FAMILY = "consume";

    /** Records received, the drain included. */
    public static final Metric<Long> RECORDS = Metric.count("consume.records");

    /** Their key and value bytes. */
    public static final Metric<Long> BYTES = Metric.count("consume.bytes");

    /** Records received within the window's time: for throughput. */
    public static final Metric<Long> ARRIVED = Metric.count("consume.arrived");

    /** Key and value bytes of these. */
    public static final Metric<Long> ARRIVED_BYTES = Metric.count("consume.arrivedBytes");

    /** The {@link #EVENTS} within the window's time. */
    public static final Metric<Map<String, Long>> ARRIVED_EVENTS = Metric.counts("consume.arrivedEvents.*");

    /** Reception − intended time, or − the record's timestamp, see {@code timestampSource} of the result. */
    public static final Metric<Latencies> END_TO_END = Metric.latency("consume.endToEnd");

    /** Records of {@link #END_TO_END} that were never received: they count with the time that they waited. */
    public static final Metric<Long> NEVER_RECEIVED = Metric.count("consume.neverReceived");

    /** Records that seemed to arrive before they were due: a clock fault, never dropped. */
    public static final Metric<Long> NEGATIVE_END_TO_END = Metric.count("consume.negativeEndToEnd");

    /** Reception − the broker's append time, of records that carry it. */
    public static final Metric<Latencies> END_TO_END_FROM_APPEND = Metric.latency("consume.endToEndFromAppend");

    /** Records that seemed to arrive before they were appended, likewise. */
    public static final Metric<Long> NEGATIVE_FROM_APPEND = Metric.count("consume.negativeFromAppend");

    /** Failed polls and commits by kind of error. */
    public static final Metric<Map<String, Long>> ERRORS = Metric.counts("consume.errors.*");

    /** Records received by group, the drain included. Of a warm-up, timelines before 1.1 do not have them. */
    public static final Metric<Map<String, Long>> GROUP_RECORDS = Metric.counts("consume.groups.*.records");

    /** Their key and value bytes. */
    public static final Metric<Map<String, Long>> GROUP_BYTES = Metric.counts("consume.groups.*.bytes");

    /** Offset commits that succeeded, by group. */
    public static final Metric<Map<String, Long>> GROUP_COMMITS = Metric.counts("consume.groups.*.commits");

    /** Assignments that members got after the first, by group. */
    public static final Metric<Map<String, Long>> GROUP_REBALANCES = Metric.counts("consume.groups.*.rebalances");

    /** What else a kind of consumer counts, by name: see the figures of share groups and of work. */
    public static final Metric<Map<String, Long>> EVENTS = Metric.counts("consume.events.*");

    /** Consumed records by {@code topic-partition}, of any window. */
    public static final Metric<Map<String, Long>> BY_PARTITION = Metric.counts("partitions.*.consumed");

    /** Records in the log that a group has not read yet, at the end of the stretch; absent of groups that could not be asked. */
    public static final Metric<Map<String, Long>> LAG = Metric.counts("lag.*", Metric.Merge.LATEST);

    /** The least {@link #LAG} within the stretch, of groups whose lag is looked at more often than that. */
    public static final Metric<Map<String, Long>> LEAST_LAG = Metric.counts("leastLag.*", Metric.Merge.LATEST);

    private Consumed() {}

    /** Versions before 1.0 did not tell the events within the window's time from the others. */
    static Counts completed(Counts read, Map<String, Object> json) {
        return json.get(FAMILY) instanceof Map<?, ?> consume && !consume.containsKey("arrivedEvents")
                ? read.with(ARRIVED_EVENTS, read.get(EVENTS))
                : read;
    }
}
