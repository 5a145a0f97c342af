package io.plimsoll.payload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The first {@value #BYTES} bytes of a value that can be audited; all fields big-endian:
 *
 * <pre>
 *  0  8  run ID                              } the {@link Stamp}, the only part
 *  8  8  intended time, ns since the epoch   } that latency measurements read
 * 16  8  sequence
 * 24  4  producer
 * 28  4  checksum
 * </pre>
 *
 * <p>The pair of producer and sequence is unique in a run. Each producer counts its own sequence from 0 without gaps.
 * An engine that knows partitions in advance assigns a producer number to each pair of producer and partition, so that
 * a partition's sequences are consecutive.
 *
 * <p>The checksum covers the whole value: the CRC-32C of the bytes after the identity, XORed with the upper 32 bits of
 * {@code runId·M1 + intended·M2 + sequence·M3 + producer·M4} (modulo 2⁶⁴, M odd). Changing only the identity costs two
 * multiplications, not a pass over the bytes. Each changed bit of the identity changes the checksum, as does each
 * error burst of up to 32 bits in the bytes after the identity.
 *
 * <p>Stateless. Buffers are read at their position, which does not move.
 */
public final class Identity {
    /** Minimum size of a value in bytes; a smaller value can only contain a {@link Stamp}. */
    public static final int BYTES = 32;

    public static final int INTENDED_AT = 8;
    public static final int SEQUENCE_AT = 16;
    /** Position of the producer; the checksum follows it, and both are written as one {@code long}. */
    public static final int PRODUCER_AT = 24;

    private static final int CHECKSUM_AT = 28;
    private static final long RUN_FACTOR = 0x9e3779b97f4a7c15L;
    private static final long INTENDED_FACTOR = 0xbf58476d1ce4e5b9L;
    private static final long SEQUENCE_FACTOR = 0x94d049bb133111ebL;
    public static final long NEXT_SEQUENCE = SEQUENCE_FACTOR;
    private static final long PRODUCER_FACTOR = 0xd6e8feb86659fd93L;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG_IN_BUFFER =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT_IN_BUFFER =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    /**
     * Writes the identity into the value of {@code length} bytes at {@code offset}. The other bytes must already be
     * written, because the checksum covers them.
     * @throws IndexOutOfBoundsException if the value has fewer than {@link #BYTES} bytes
     */
    public static void write(
            byte[] bytes, int offset, int length, long runId, long intendedEpochNanos, int producer, long sequence) {
        int tail = tailChecksum(bytes, offset, length);
        Stamp.write(bytes, offset, runId, intendedEpochNanos);
        LONG.set(bytes, offset + SEQUENCE_AT, sequence);
        int checksum = checksum(checksumBase(runId, producer, sequence), intendedEpochNanos, tail);
        LONG.set(bytes, offset + PRODUCER_AT, producerAndChecksum(producer, checksum));
    }

    /** The part of the checksum that covers the bytes after the identity. */
    public static int tailChecksum(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset + BYTES, length - BYTES);
        return (int) crc.getValue();
    }

    /** The part of the checksum that covers the identity without the intended time. */
    public static long checksumBase(long runId, int producer, long sequence) {
        return runId * RUN_FACTOR + producer * PRODUCER_FACTOR + sequence * SEQUENCE_FACTOR;
    }

    /**
     * @param base from {@link #checksumBase}; larger by {@link #NEXT_SEQUENCE} for the next sequence
     * @param tail from {@link #tailChecksum}
     */
    public static int checksum(long base, long intendedEpochNanos, int tail) {
        return (int) ((base + intendedEpochNanos * INTENDED_FACTOR) >>> 32) ^ tail;
    }

    /** The producer and the checksum as the {@code long} at {@link #PRODUCER_AT}. */
    public static long producerAndChecksum(int producer, int checksum) {
        return (long) producer << 32 | (checksum & 0xffff_ffffL);
    }

    /** The run ID of the value at {@code index}. Like the next methods, only valid for values of at least {@link #BYTES} bytes. */
    public static long runId(ByteBuffer buffer, int index) {
        return (long) LONG_IN_BUFFER.get(buffer, index);
    }

    public static long sequence(ByteBuffer buffer, int index) {
        return (long) LONG_IN_BUFFER.get(buffer, index + SEQUENCE_AT);
    }

    public static int producer(ByteBuffer buffer, int index) {
        return (int) INT_IN_BUFFER.get(buffer, index + PRODUCER_AT);
    }

    /** Whether the identity matches its checksum with this {@link #tailChecksum}. */
    public static boolean isIntact(ByteBuffer buffer, int index, int tail) {
        long base = checksumBase(runId(buffer, index), producer(buffer, index), sequence(buffer, index));
        return (int) INT_IN_BUFFER.get(buffer, index + CHECKSUM_AT)
                == checksum(base, Stamp.intendedEpochNanos(buffer, index), tail);
    }
}
