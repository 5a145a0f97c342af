package io.plimsoll.audit;

import java.nio.ByteBuffer;

/** Receives the contents of one partition in offset order. The caller holds the sink's lock. */
public interface LogSink {
    /**
     * A visible record; its value begins at {@code valueAt} (length −1 for null). The position and limit of the buffer
     * stay unchanged.
     */
    void record(long offset, ByteBuffer bytes, int valueAt, int valueBytes, long epochMillis);

    /** Consecutive records of producer {@code of} with consecutive sequences. */
    void records(long offset, int of, long sequence, long records, long epochMillis);

    /** Corrupt data at these offsets. */
    default void damaged(long first, long last, long epochMillis) {}

    /** Offsets of transaction markers and aborted records, which {@code read_committed} consumers do not see. */
    default void hidden(long first, long last) {}

    /** The sequence after the highest one read from this producer; 0 if no record of it was read. */
    default long expected(int producer) {
        return 0;
    }

    /** Publishes everything read so far. */
    default void flush() {}
}
