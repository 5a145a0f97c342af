package io.plimsoll.schemas;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The state from which the fields of one thread's records are generated. Owned by that thread. */
final class Draw {
    private static final byte[] CHARACTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789AB".getBytes(StandardCharsets.US_ASCII);
    private static final int BITS = 6;
    private static final int PER_LONG = 10;

    final SplittableRandom random;
    /** Of the record, across all threads of the entry. */
    long number;

    long epochNanos;
    /** The text of the field at hand. */
    byte[] text = new byte[64];

    Draw(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Makes {@link #text} at least this long. */
    void reserve(int bytes) {
        if (bytes > text.length) {
            text = new byte[Math.max(bytes, 2 * text.length)];
        }
    }

    int copy(byte[] from) {
        reserve(from.length);
        System.arraycopy(from, 0, text, 0, from.length);
        return from.length;
    }

    int letters(int count) {
        reserve(count);
        long bits = 0;
        for (int i = 0; i < count; i++) {
            bits = i % PER_LONG == 0 ? random.nextLong() : bits >>> BITS;
            text[i] = CHARACTERS[(int) bits & (CHARACTERS.length - 1)];
        }
        return count;
    }

    byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The growing bytes of an encoded record. */
    static final class Sink extends OutputStream {
        private static final int MOST_KEPT = 1 << 13;

        private byte[] bytes = new byte[256];
        private int length;
        /** One array per length: callers copy records before the next. */
        private final byte[][] taken = new byte[MOST_KEPT][];

        @Override
        public void write(int b) {
            room(1);
            bytes[length++] = (byte) b;
        }

        @Override
        public void write(byte[] from, int at, int count) {
            room(count);
            System.arraycopy(from, at, bytes, length, count);
            length += count;
        }

        private void room(int count) {
            if (length + count > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
            }
        }

        void clear() {
            length = 0;
        }

        byte[] bytes() {
            return bytes;
        }

        int length() {
            return length;
        }

        /** The bytes so far, in an array that is overwritten by later records of the same length. */
        byte[] taken() {
            byte[] to = length < MOST_KEPT ? taken[length] : new byte[length];
            if (to == null) {
                to = new byte[length];
                taken[length] = to;
            }
            System.arraycopy(bytes, 0, to, 0, length);
            return to;
        }
    }
}
