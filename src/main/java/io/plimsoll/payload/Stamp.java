package io.plimsoll.payload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The first {@value #BYTES} bytes of a generated value, big-endian: 8 bytes run ID, 8 bytes intended time in
 * nanoseconds since the epoch. Consumers recognize the run's records by it, and when they were due. Stateless.
 */
public final class Stamp {
    /** Values below this size carry no stamp. */
    public static final int BYTES = 16;

    private static final VarHandle IN_ARRAY = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle IN_BUFFER =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** @throws IndexOutOfBoundsException if the value has less than {@link #BYTES} bytes */
    public static void write(byte[] value, long runId, long intendedEpochNanos) {
        write(value, 0, runId, intendedEpochNanos);
    }

    /** Writes into a value at {@code offset}. */
    public static void write(byte[] bytes, int offset, long runId, long intendedEpochNanos) {
        IN_ARRAY.set(bytes, offset + Long.BYTES, intendedEpochNanos);
        IN_ARRAY.set(bytes, offset, runId);
    }

    /** The value lies between position and limit, which do not move. False for a null or short value. */
    public static boolean isOurs(@Nullable ByteBuffer value, long runId) {
        return value != null && value.remaining() >= BYTES && (long) IN_BUFFER.get(value, value.position()) == runId;
    }

    /** See {@link #isOurs(ByteBuffer, long)}; for the value of {@code length} bytes at {@code index}. */
    public static boolean isOurs(ByteBuffer buffer, int index, int length, long runId) {
        return length >= BYTES && (long) IN_BUFFER.get(buffer, index) == runId;
    }

    /** Valid only if {@link #isOurs(ByteBuffer, int, int, long)}. */
    public static long intendedEpochNanos(ByteBuffer buffer, int index) {
        return (long) IN_BUFFER.get(buffer, index + Long.BYTES);
    }

    /** Valid only if {@link #isOurs(ByteBuffer, long)}. */
    public static long intendedEpochNanos(ByteBuffer value) {
        return (long) IN_BUFFER.get(value, value.position() + Long.BYTES);
    }
}
