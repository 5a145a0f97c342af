package io.plimsoll.measure;

import java.util.Map;

/** Metrics of consumers. A record counts in the window in which it arrived, a latency in the window of its start time. */
public final class Consumed {
    public static final String FAMILY = "consume";

    /** Records received, including during the drain. */
    public static final Metric<Long> RECORDS = Metric.count("consume.records");

    /** Key and value bytes of received records. */
    public static final Metric<Long> BYTES = Metric.count("consume.bytes");

    /** Records that arrived within the window, for throughput. */
    public static final Metric<Long> ARRIVED = Metric.count("consume.arrived");

    /** Key and value bytes of {@link #ARRIVED} records. */
    public static final Metric<Long> ARRIVED_BYTES = Metric.count("consume.arrivedBytes");

    /** The {@link #EVENTS} that occurred within the window. */
    public static final Metric<Map<String, Long>> ARRIVED_EVENTS = Metric.counts("consume.arrivedEvents.*");

    /** Time of receipt − intended time or record timestamp; see {@code timestampType} in the result. */
    public static final Metric<Latencies> END_TO_END = Metric.latency("consume.endToEnd");

    /** Records of {@link #END_TO_END} that were never received; they count with their waiting time. */
    public static final Metric<Long> NEVER_RECEIVED = Metric.count("consume.neverReceived");

    /** Records received before they were due. They indicate a clock error and are never dropped. */
    public static final Metric<Long> NEGATIVE_END_TO_END = Metric.count("consume.negativeEndToEnd");

    /** Time of receipt − the broker's append time, for records with an append time. */
    public static final Metric<Latencies> END_TO_END_FROM_APPEND = Metric.latency("consume.endToEndFromAppend");

    /** Records received before their append time, which indicates a clock error. */
    public static final Metric<Long> NEGATIVE_FROM_APPEND = Metric.count("consume.negativeFromAppend");

    /** Records that were decoded in order to check them: the share given by {@code schema.decode}. */
    public static final Metric<Long> DECODED = Metric.count("consume.decoded");

    /** Decoded records that do not conform to their schema. */
    public static final Metric<Long> UNDECODABLE = Metric.count("consume.undecodable");

    /** Decoded records without framing or with the ID of an unknown schema. */
    public static final Metric<Long> UNKNOWN_SCHEMA = Metric.count("consume.unknownSchema");

    /** Decoded records that violate a condition of {@code schema.expect}. */
    public static final Metric<Long> UNEXPECTED = Metric.count("consume.unexpected");

    /** Failed polls and commits by kind of error. */
    public static final Metric<Map<String, Long>> ERRORS = Metric.counts("consume.errors.*");

    /**
     * Records received by each group, including during the drain. Timelines before 1.1 lack these counts for the
     * warm-up.
     */
    public static final Metric<Map<String, Long>> GROUP_RECORDS = Metric.counts("consume.groups.*.records");

    /** Key and value bytes received by each group. */
    public static final Metric<Map<String, Long>> GROUP_BYTES = Metric.counts("consume.groups.*.bytes");

    /** Successful offset commits by group. */
    public static final Metric<Map<String, Long>> GROUP_COMMITS = Metric.counts("consume.groups.*.commits");

    /** Rebalances by group: assignments after the first one. */
    public static final Metric<Map<String, Long>> GROUP_REBALANCES = Metric.counts("consume.groups.*.rebalances");

    /** Other counts by name, such as share-group deliveries and processing time. */
    public static final Metric<Map<String, Long>> EVENTS = Metric.counts("consume.events.*");

    /** Consumed records by {@code topic-partition}, regardless of window. */
    public static final Metric<Map<String, Long>> BY_PARTITION = Metric.counts("partitions.*.consumed");

    /** Lag of each group at the end of the interval; absent if it could not be read. */
    public static final Metric<Map<String, Long>> LAG = Metric.counts("lag.*", Metric.Merge.LATEST);

    /** Minimum {@link #LAG} within the interval, for groups with more frequent readings. */
    public static final Metric<Map<String, Long>> LEAST_LAG = Metric.counts("leastLag.*", Metric.Merge.LATEST);

    /** Completes counts read from JSON: versions before 1.0 did not count the events within the window separately. */
    static Counts completed(Counts read, Map<String, Object> json) {
        return json.get(FAMILY) instanceof Map<?, ?> consume && !consume.containsKey("arrivedEvents")
                ? read.with(ARRIVED_EVENTS, read.get(EVENTS))
                : read;
    }
}
