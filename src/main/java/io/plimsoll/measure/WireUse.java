package io.plimsoll.measure;

/** What clients put on the wire, from their own counters. It belongs to the time in which it was sent. */
public final class WireUse {
    static final String FAMILY = "wire";

    /** Produce requests. */
    public static final Metric<Long> REQUESTS = Metric.count("wire.requests");

    /** Record batches sent. */
    public static final Metric<Long> BATCHES = Metric.count("wire.batches");

    /** Records in them. */
    public static final Metric<Long> BATCHED_RECORDS = Metric.count("wire.batchedRecords");

    /** Bytes of the batches, after compression. */
    public static final Metric<Long> BATCH_BYTES = Metric.count("wire.batchBytes");

    /** Bytes of the same batches before compression, estimated from the clients' compression rate. */
    public static final Metric<Long> UNCOMPRESSED_BYTES = Metric.count("wire.uncompressedBytes");

    /** Records sent again. */
    public static final Metric<Long> RETRIES = Metric.count("wire.retries");

    /** The time for which brokers asked clients to wait: the sum over all answers. */
    public static final Metric<Long> THROTTLED_NANOS = Metric.count("wire.throttledNanos");

    /** The time for which sending threads waited for {@code buffer.memory}. */
    public static final Metric<Long> BUFFER_WAIT_NANOS = Metric.count("wire.bufferWaitNanos");

    /** Fetch requests of consuming clients. */
    public static final Metric<Long> FETCH_REQUESTS = Metric.count("wire.fetchRequests");

    /**
     * The time for which the client blocked sending threads: a full buffer as above, missing metadata, a flush, the end of a
     * transaction, a synchronous send. 0 in versions before 1.0.
     */
    public static final Metric<Long> HELD_NANOS = Metric.count("wire.heldNanos");

    /** Readings of clients that do not tell {@link #THROTTLED_NANOS}. */
    public static final Metric<Long> THROTTLES_UNTOLD = Metric.count("wire.throttlesUntold");

    private WireUse() {}
}
