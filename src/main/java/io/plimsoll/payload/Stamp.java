package io.plimsoll.payload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The first {@value #BYTES} bytes of a generated value, big-endian: 8 bytes for the run ID and 8 bytes for the intended
 * time in nanoseconds since the epoch. With the stamp, consumers recognize the run's records and read their intended
 * times. Stateless.
 */
public final class Stamp {
    /** Minimum size in bytes of a value with a stamp. */
    public static final int BYTES = 16;

    private static final VarHandle IN_ARRAY = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle IN_BUFFER =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** @throws IndexOutOfBoundsException if the value has fewer than {@link #BYTES} bytes */
    public static void write(byte[] value, long runId, long intendedEpochNanos) {
        write(value, 0, runId, intendedEpochNanos);
    }

    /** Writes a stamp into a value at {@code offset}. */
    public static void write(byte[] bytes, int offset, long runId, long intendedEpochNanos) {
        IN_ARRAY.set(bytes, offset + Long.BYTES, intendedEpochNanos);
        IN_ARRAY.set(bytes, offset, runId);
    }

    /**
     * Whether the value between position and limit has a stamp of this run; false if it is null or too short. Keeps the
     * position.
     */
    public static boolean isOurs(@Nullable ByteBuffer value, long runId) {
        return value != null && value.remaining() >= BYTES && (long) IN_BUFFER.get(value, value.position()) == runId;
    }

    /** Whether the value of {@code length} bytes at {@code index} has a stamp of this run. */
    public static boolean isOurs(ByteBuffer buffer, int index, int length, long runId) {
        return length >= BYTES && (long) IN_BUFFER.get(buffer, index) == runId;
    }

    /** The intended time. Valid only if {@link #isOurs(ByteBuffer, int, int, long)}. */
    public static long intendedEpochNanos(ByteBuffer buffer, int index) {
        return (long) IN_BUFFER.get(buffer, index + Long.BYTES);
    }

    /** The intended time. Valid only if {@link #isOurs(ByteBuffer, long)}. */
    public static long intendedEpochNanos(ByteBuffer value) {
        return (long) IN_BUFFER.get(value, value.position() + Long.BYTES);
    }
}
