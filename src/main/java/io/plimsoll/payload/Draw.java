package io.plimsoll.payload;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The state from which the fields and texts of one thread's records are generated. Owned by that thread. */
public final class Draw {
    private static final byte[] CHARACTERS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int FRACTION_BITS = 57;
    private static final long FRACTION = (1L << FRACTION_BITS) - 1;
    private static final int PER_LONG = 7;

    public final SplittableRandom random;
    /** Number of the record, across all threads of the entry. */
    public long number;

    public long epochNanos;
    /** The text of the current field, as UTF-8. */
    public byte[] text = new byte[64];

    public Draw(long seed) {
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

    /** Fills {@link #text} with equally likely letters and digits, and returns their number. */
    public int letters(int count) {
        reserve(count);
        long bits = 0;
        for (int i = 0; i < count; i++) {
            bits = ((i % PER_LONG == 0 ? random.nextLong() : bits) & FRACTION) * CHARACTERS.length;
            text[i] = CHARACTERS[(int) (bits >>> FRACTION_BITS)];
        }
        return count;
    }

    /** Writes an integer to {@link #text}; returns its length. */
    int digits(long value) {
        if (value < 0) {
            return copy(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
        }
        int count = Decimal.digits(value);
        reserve(count);
        Decimal.write(value, text, count);
        return count;
    }

    /** Writes a UUID of version 4, variant 2; returns its length. */
    public int uuid() {
        long high = (random.nextLong() & ~0xf000L) | 0x4000L;
        long low = (random.nextLong() & ~(3L << 62)) | 2L << 62;
        reserve(36);
        int at = 0;
        for (int i = 0; i < 32; i++) {
            if (i == 8 || i == 12 || i == 16 || i == 20) {
                text[at++] = '-';
            }
            long bits = i < 16 ? high >>> (60 - 4 * i) : low >>> (60 - 4 * (i - 16));
            text[at++] = HEX[(int) bits & 0xf];
        }
        return at;
    }

    public byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A growing buffer for an encoded record. */
    public static final class Sink extends OutputStream {
        private static final int MOST_KEPT = 1 << 13;

        private byte[] bytes = new byte[256];
        private int length;
        /** One array per length is reused, because callers copy each record before they request the next one. */
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

        /** Inserts bytes at a position. */
        void insert(int at, byte[] from, int count) {
            room(count);
            System.arraycopy(bytes, at, bytes, at + count, length - at);
            System.arraycopy(from, 0, bytes, at, count);
            length += count;
        }

        public void clear() {
            length = 0;
        }

        public byte[] bytes() {
            return bytes;
        }

        public int length() {
            return length;
        }

        /** The bytes written so far, in an array that later records of the same length overwrite. */
        public byte[] taken() {
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
