package io.plimsoll.measure;

/**
 * A broker's positive answer to a batch, as passed to an {@link AckMeter}. Mutable, so that none is allocated per record:
 * each client reuses one, on its I/O thread. Times are nanoTime.
 */
public final class Acknowledgment {
    /** Index of the topic in the scenario entry. */
    public int topic;

    public int partition;
    /** Offset of the record, or of the first record of a batch; −1 if unknown. */
    public long offset = -1;
    /** The broker that answered; −1 if unknown. */
    public int broker = -1;
    /** Start of the first request with this batch; {@link #UNKNOWN} if the client does not report it. */
    public long firstRequestNanos = UNKNOWN;
    /** Start of the answered request; later than the first after a retry. */
    public long requestNanos = UNKNOWN;
    /** When the answer was read. */
    public long nanos;

    public static final long UNKNOWN = Long.MIN_VALUE;

    /** Sets the values that differ from record to record. */
    public Acknowledgment at(int topicIndex, int partitionIndex, long firstOffset, long nowNanos) {
        topic = topicIndex;
        partition = partitionIndex;
        offset = firstOffset;
        nanos = nowNanos;
        return this;
    }

    /** Sets the request; both times are {@link #UNKNOWN} if unknown. */
    public Acknowledgment to(int fromBroker, long firstNanos, long lastNanos) {
        broker = fromBroker;
        firstRequestNanos = firstNanos;
        requestNanos = lastNanos;
        return this;
    }
}
