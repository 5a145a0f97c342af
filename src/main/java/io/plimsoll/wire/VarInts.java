package io.plimsoll.wire;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.ByteUtils;

/**
 * Variable-length integers: seven bits a byte, low bits first. Lengths and counts of flexible versions are unsigned;
 * record fields are zigzag-encoded.
 */
public final class VarInts {
    /** Result of {@link #unsigned} if the input ends within the number. */
    public static final long CUT = -1;

    public static final long TOO_LONG = -2;
    private static final int SIZE_BITS = 4;
    private static final int MOST_BYTES_OF_INT = 5;
    private static final int MOST_BYTES = 10;

    /**
     * Reads a zigzag number; {@link #value} and {@link #bytes} unpack the result. A single {@code long} contains both,
     * because this call dominates the cost of reading records.
     *
     * @throws IndexOutOfBoundsException if the number is unterminated
     */
    public static long field(ByteBuffer data, int at) {
        int first = data.get(at);
        if (first >= 0) {
            return (long) ((first >>> 1) ^ -(first & 1)) << SIZE_BITS | 1;
        }
        int second = data.get(at + 1);
        if (second >= 0) {
            int value = (first & 0x7f) | (second << 7);
            return (long) (value >>> 1 ^ -(value & 1)) << SIZE_BITS | 2;
        }
        long longer = unsigned(data, at, data.limit(), MOST_BYTES);
        if (longer < 0 && bytes(longer) > MOST_BYTES) {
            throw new IndexOutOfBoundsException("a variable-length integer does not end");
        }
        long value = longer >>> SIZE_BITS;
        return (value >>> 1 ^ -(value & 1)) << SIZE_BITS | bytes(longer);
    }

    public static long value(long field) {
        return field >> SIZE_BITS;
    }

    public static int bytes(long field) {
        return (int) field & (1 << SIZE_BITS) - 1;
    }

    /** Reads fewer than 61 bits, packed as in {@link #field}, or returns {@link #CUT} or {@link #TOO_LONG}. */
    private static long unsigned(ByteBuffer data, int at, int end, int mostBytes) {
        long value = 0;
        for (int i = 0; i < mostBytes; i++) {
            if (at + i >= end) {
                return CUT;
            }
            int b = data.get(at + i);
            value |= (long) (b & 0x7f) << (7 * i);
            if (b >= 0) {
                return value << SIZE_BITS | i + 1;
            }
        }
        return TOO_LONG;
    }

    /** Reads an unsigned number of at most 32 bits before {@code end}, packed as in {@link #field}. */
    public static long unsigned(ByteBuffer data, int at, int end) {
        return unsigned(data, at, end, MOST_BYTES_OF_INT);
    }

    /** @throws IllegalArgumentException if it exceeds 32 bits */
    static int readUnsigned(ByteBuffer buffer) {
        return ByteUtils.readUnsignedVarint(buffer);
    }

    public static void writeUnsigned(ByteBuffer buffer, int value) {
        ByteUtils.writeUnsignedVarint(value, buffer);
    }

    /** Writes a zigzag number and returns the index after it. */
    public static int write(int number, byte[] to, int at) {
        int next = at;
        int rest = number << 1 ^ number >> 31;
        while ((rest & ~0x7f) != 0) {
            to[next++] = (byte) ((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        to[next++] = (byte) rest;
        return next;
    }

    public static int size(long number) {
        return ByteUtils.sizeOfVarlong(number);
    }

    static void writeCount(ByteBuffer buffer, boolean flexible, int count) {
        if (flexible) {
            writeUnsigned(buffer, count + 1);
        } else {
            buffer.putInt(count);
        }
    }

    /** Reads an array count; −1 for null. Throws {@link IllegalArgumentException} if it exceeds the remaining bytes. */
    static int readCount(ByteBuffer buffer, boolean flexible) {
        int count = flexible ? readUnsigned(buffer) - 1 : buffer.getInt();
        if (count < -1 || count > buffer.remaining()) {
            throw new IllegalArgumentException("an array claims " + count + " entries");
        }
        return count;
    }

    /** Reads a string length; −1 for null. */
    static int readLength(ByteBuffer buffer, boolean flexible) {
        return flexible ? readUnsigned(buffer) - 1 : buffer.getShort();
    }

    /** Writes an empty set of tagged fields in flexible versions. */
    static void writeTags(ByteBuffer buffer, boolean flexible) {
        if (flexible) {
            buffer.put((byte) 0);
        }
    }

    /** Skips the tagged fields at the buffer's position; only flexible versions have them. */
    static void skipTags(ByteBuffer buffer, boolean flexible) {
        for (int n = flexible ? readUnsigned(buffer) : 0; n > 0; n--) {
            readUnsigned(buffer);
            skip(buffer, readUnsigned(buffer));
        }
    }

    /** @throws IllegalArgumentException if fewer bytes remain */
    static void skip(ByteBuffer buffer, int bytes) {
        if (bytes < 0 || bytes > buffer.remaining()) {
            throw new IllegalArgumentException(
                    "a field claims " + bytes + " bytes, " + buffer.remaining() + " are left");
        }
        buffer.position(buffer.position() + bytes);
    }
}
