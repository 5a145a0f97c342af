package io.plimsoll.wire;

/** A fetched partition. Used by the thread of its {@link RawNetwork}. */
public class FetchPartition {
    private final int partition;
    /** The topic as addressed in requests; changes only while no {@link FetchSession} contains the partition. */
    @SuppressWarnings("NullAway.Init") // Set by the owner before the first session.
    public TopicRef topic;
    /** Offset of the next fetch. */
    public long offset = -1;
    /** Offset that the broker has stored for the session. */
    long sentOffset = -1;

    public FetchPartition(int partition) {
        this.partition = partition;
    }

    public final int partition() {
        return partition;
    }
}
