package io.plimsoll.audit;

import java.nio.ByteBuffer;

/** Takes what is in one partition, in the order of the offsets. Whoever calls holds its lock. */
public interface LogSink {
    /**
     * A record that a consumer would see.
     *
     * @param bytes holds the value from index {@code valueAt} on; its position and limit are not changed
     * @param valueBytes −1 for null
     */
    void record(long offset, ByteBuffer bytes, int valueAt, int valueBytes, long epochMillis);

    /** Records in a row of the producer {@code of}, with sequences in a row. */
    void records(long offset, int of, long sequence, long records, long epochMillis);

    /** The log holds something at these offsets that cannot be read. */
    default void damaged(long first, long last, long epochMillis) {}

    /** Markers and aborted transactions, which no consumer sees with {@code read_committed}. */
    default void hidden(long first, long last) {}

    /** The sequence behind the highest of a producer that was read here before; 0 if none was. */
    default long expected(int producer) {
        return 0;
    }

    /** Hands over what was read so far. */
    default void flush() {}
}
