package io.plimsoll.payload;

/** Makes one thread's values. */
interface ValueGenerator {

    /** Valid until the next call; not to be changed by the caller. */
    byte[] next(long sequence, long intendedEpochNanos);

    double meanBytes();

    int maxBytes();

    default boolean stamped() {
        return false;
    }

    /** Whether each value has room for an {@link Identity}. */
    default boolean identifiable() {
        return stamped() && maxBytes() >= Identity.BYTES;
    }
}
