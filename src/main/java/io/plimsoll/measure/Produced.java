package io.plimsoll.measure;

import java.util.Map;

/** Metrics of producers. Unless stated otherwise, a record counts in the window in which it was due. */
public final class Produced {
    public static final String FAMILY = "produce";

    /** Records due by the schedule; in a closed loop, records sent. */
    public static final Metric<Long> DUE = Metric.count("produce.due");

    /** Records passed to the engine for sending. */
    public static final Metric<Long> SENT = Metric.count("produce.sent");

    /** Acknowledged records, at any time. */
    public static final Metric<Long> ACKNOWLEDGED = Metric.count("produce.acknowledged");

    /** Key and value bytes of acknowledged records. */
    public static final Metric<Long> ACKNOWLEDGED_BYTES = Metric.count("produce.acknowledgedBytes");

    /** Acknowledgments that arrived within the window, for throughput, regardless of the record's window. */
    public static final Metric<Long> ARRIVED = Metric.count("produce.arrived");

    /** Key and value bytes of {@link #ARRIVED} records. */
    public static final Metric<Long> ARRIVED_BYTES = Metric.count("produce.arrivedBytes");

    /** Records without a response at the end; their waiting time is charged to the response time. */
    public static final Metric<Long> UNACKNOWLEDGED = Metric.count("produce.unacknowledged");

    /** Records that were due but never passed to the engine; their waiting time is charged to the response time. */
    public static final Metric<Long> UNSENT = Metric.count("produce.unsent");

    /** Failed records by kind of error. */
    public static final Metric<Map<String, Long>> ERRORS = Metric.counts("produce.errors.*");

    /** Other events by kind, such as a timed-out wait or an aborted transaction. */
    public static final Metric<Map<String, Long>> EVENTS = Metric.counts("produce.events.*");

    /** Acknowledgment − intended time. */
    public static final Metric<Latencies> RESPONSE_TIME = Metric.latency("produce.responseTime");

    /** Acknowledgment − actual send. */
    public static final Metric<Latencies> SERVICE_TIME = Metric.latency("produce.serviceTime");

    /** Actual send − intended time. */
    public static final Metric<Latencies> SEND_DELAY = Metric.latency("produce.sendDelay");

    /** Number of sent records that were sampled to time their encoding with a schema. */
    public static final Metric<Long> SERIALIZED = Metric.count("produce.serialized");

    /** Time in which the sampled records were generated and encoded. */
    public static final Metric<Long> SERIALIZE_NANOS = Metric.count("produce.serializeNanos");

    /** CPU time of the sending thread while it encoded the sampled records. */
    public static final Metric<Long> SERIALIZE_CPU_NANOS = Metric.count("produce.serializeCpuNanos");

    /** Acknowledged records by {@code topic-partition}, regardless of window. */
    public static final Metric<Map<String, Long>> BY_PARTITION = Metric.counts("partitions.*.produced");
}
