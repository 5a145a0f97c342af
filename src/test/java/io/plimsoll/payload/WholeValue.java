package io.plimsoll.payload;

import java.nio.ByteBuffer;

/** Reads the identity of a value in its own array. */
public final class WholeValue {
    private WholeValue() {}

    public static int producer(byte[] value) {
        return Identity.producer(ByteBuffer.wrap(value), 0);
    }

    public static long sequence(byte[] value) {
        return Identity.sequence(ByteBuffer.wrap(value), 0);
    }

    /** False also for a null or short value. */
    public static boolean isIntact(byte[] value) {
        return value != null
                && value.length >= Identity.BYTES
                && Identity.isIntact(ByteBuffer.wrap(value), 0, Identity.tailChecksum(value, 0, value.length));
    }
}
