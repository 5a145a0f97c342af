package io.plimsoll.measure;

/** Wire metrics from the clients' own counters. They count in the interval in which the request was sent. */
public final class WireUse {
    static final String FAMILY = "wire";

    public static final Metric<Long> REQUESTS = Metric.count("wire.requests");

    public static final Metric<Long> BATCHES = Metric.count("wire.batches");

    /** Number of records in the sent batches. */
    public static final Metric<Long> BATCHED_RECORDS = Metric.count("wire.batchedRecords");

    /** Batch bytes after compression. */
    public static final Metric<Long> BATCH_BYTES = Metric.count("wire.batchBytes");

    /** Batch bytes before compression, estimated from the clients' compression rate. */
    public static final Metric<Long> UNCOMPRESSED_BYTES = Metric.count("wire.uncompressedBytes");

    /** Number of retried records. */
    public static final Metric<Long> RETRIES = Metric.count("wire.retries");

    /** Throttle time requested by brokers, summed over all responses. */
    public static final Metric<Long> THROTTLED_NANOS = Metric.count("wire.throttledNanos");

    /** Time that sending threads waited for {@code buffer.memory}. */
    public static final Metric<Long> BUFFER_WAIT_NANOS = Metric.count("wire.bufferWaitNanos");

    public static final Metric<Long> FETCH_REQUESTS = Metric.count("wire.fetchRequests");

    /**
     * Time that the client blocked sending threads because of a full buffer, missing metadata, a flush, the end of a
     * transaction, or a synchronous send. 0 in versions before 1.0.
     */
    public static final Metric<Long> HELD_NANOS = Metric.count("wire.heldNanos");

    /** Number of readings from clients that do not report {@link #THROTTLED_NANOS}. */
    public static final Metric<Long> THROTTLES_UNTOLD = Metric.count("wire.throttlesUntold");
}
