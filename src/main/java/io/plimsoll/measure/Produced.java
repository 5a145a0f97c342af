package io.plimsoll.measure;

import java.util.Map;

/** What producing counts. Unless said otherwise, a record belongs to the window in which it was due. */
public final class Produced {
    static final String FAMILY = "produce";

    /** Records that the schedule asked for; in a closed loop those that were sent. */
    public static final Metric<Long> DUE = Metric.count("produce.due");

    /** Records handed to the engine. */
    public static final Metric<Long> SENT = Metric.count("produce.sent");

    /** Acknowledged records, however late. */
    public static final Metric<Long> ACKNOWLEDGED = Metric.count("produce.acknowledged");

    /** Their key and value bytes. */
    public static final Metric<Long> ACKNOWLEDGED_BYTES = Metric.count("produce.acknowledgedBytes");

    /** Acknowledgements that came within the window's time, whichever window the record belongs to: for throughput. */
    public static final Metric<Long> ARRIVED = Metric.count("produce.arrived");

    /** Key and value bytes of these. */
    public static final Metric<Long> ARRIVED_BYTES = Metric.count("produce.arrivedBytes");

    /** Records without an answer at the end, charged to the response time with the time they had waited. */
    public static final Metric<Long> UNACKNOWLEDGED = Metric.count("produce.unacknowledged");

    /** Records that were due but never handed over, charged likewise. */
    public static final Metric<Long> UNSENT = Metric.count("produce.unsent");

    /** Failed records by kind of error. */
    public static final Metric<Map<String, Long>> ERRORS = Metric.counts("produce.errors.*");

    /** Events other than failed records, by kind: a wait that timed out, an aborted transaction. */
    public static final Metric<Map<String, Long>> EVENTS = Metric.counts("produce.events.*");

    /** Acknowledgement − intended time. */
    public static final Metric<Latencies> RESPONSE_TIME = Metric.latency("produce.responseTime");

    /** Acknowledgement − actual send. */
    public static final Metric<Latencies> SERVICE_TIME = Metric.latency("produce.serviceTime");

    /** Actual send − intended time. */
    public static final Metric<Latencies> SEND_DELAY = Metric.latency("produce.sendDelay");

    /** Acknowledged records by {@code topic-partition}, of any window. */
    public static final Metric<Map<String, Long>> BY_PARTITION = Metric.counts("partitions.*.produced");

    private Produced() {}
}
