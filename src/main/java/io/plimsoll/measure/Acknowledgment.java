package io.plimsoll.measure;

/**
 * A broker's acknowledgment of a batch, as passed to an {@link AckMeter}. Mutable: each client reuses one object on its
 * I/O thread, to avoid an allocation per record. Times are in nanoTime.
 */
public final class Acknowledgment {
    /** Index of the topic in the scenario entry. */
    public int topic;

    public int partition;
    /** Offset of the record, or of the first record of a batch; −1 if unknown. */
    public long offset = -1;
    /** ID of the broker that responded; −1 if unknown. */
    public int broker = -1;
    /** Start of the first request with this batch; {@link #UNKNOWN} if the client does not report it. */
    public long firstRequestNanos = UNKNOWN;
    /** Start of the acknowledged request; after a retry, later than the first request. */
    public long requestNanos = UNKNOWN;
    /** Time at which the response was read. */
    public long nanos;

    public static final long UNKNOWN = Long.MIN_VALUE;

    /** Sets the values that differ between records. */
    public Acknowledgment at(int topicIndex, int partitionIndex, long firstOffset, long nowNanos) {
        topic = topicIndex;
        partition = partitionIndex;
        offset = firstOffset;
        nanos = nowNanos;
        return this;
    }

    /** Sets the broker and the request times; both times are {@link #UNKNOWN} if unknown. */
    public Acknowledgment to(int fromBroker, long firstNanos, long lastNanos) {
        broker = fromBroker;
        firstRequestNanos = firstNanos;
        requestNanos = lastNanos;
        return this;
    }
}
