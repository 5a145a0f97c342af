package io.plimsoll.wire;

/** A partition that is fetched. Owned by the thread of its {@link RawNetwork}. */
public class FetchPartition {
    private final int partition;
    /** As it is to be addressed; may change only while no {@link FetchSession} has the partition. */
    public TopicRef topic;
    /** The offset from which on the next request fetches. */
    public long offset = -1;
    /** The offset that the broker remembers for the session. */
    long sentOffset = -1;

    public FetchPartition(int partition) {
        this.partition = partition;
    }

    public final int partition() {
        return partition;
    }
}
