package io.plimsoll.wire;

import java.nio.ByteBuffer;

/** The unsigned variable-length integers of the flexible protocol versions: seven bits a byte, low bits first. */
final class VarInts {
    private VarInts() {}

    static void writeUnsigned(ByteBuffer buffer, int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            buffer.put((byte) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        buffer.put((byte) rest);
    }

    static int sizeOfUnsigned(int value) {
        int bytes = 1;
        for (int rest = value; (rest & ~0x7f) != 0; rest >>>= 7) {
            bytes++;
        }
        return bytes;
    }

    /** @throws IllegalArgumentException if it is longer than 32 bits */
    static int readUnsigned(ByteBuffer buffer) {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            byte b = buffer.get();
            value |= (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a variable-length integer has more than 5 bytes");
    }

    /** Skips the tagged fields at the buffer's position. */
    static void skipTags(ByteBuffer buffer) {
        for (int n = readUnsigned(buffer); n > 0; n--) {
            readUnsigned(buffer);
            skip(buffer, readUnsigned(buffer));
        }
    }

    /** @throws IllegalArgumentException if there are not so many bytes */
    static void skip(ByteBuffer buffer, int bytes) {
        if (bytes < 0 || bytes > buffer.remaining()) {
            throw new IllegalArgumentException(
                    "a field claims " + bytes + " bytes, " + buffer.remaining() + " are left");
        }
        buffer.position(buffer.position() + bytes);
    }
}
