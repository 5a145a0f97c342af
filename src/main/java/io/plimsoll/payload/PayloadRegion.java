package io.plimsoll.payload;

import java.util.SplittableRandom;

/**
 * A block of random bytes that all threads copy their values from: copying costs a fraction of drawing, and a block of
 * some megabytes is longer than the distance over which a codec finds repetitions. Immutable.
 */
public final class PayloadRegion {
    public static final int DEFAULT_BYTES = 4 << 20;

    private final byte[] bytes;

    /** @param length more than 0 */
    public PayloadRegion(long seed, int length) {
        this.bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
    }

    private PayloadRegion(byte[] bytes) {
        this.bytes = bytes;
    }

    private static PayloadRegion ofLetters(long seed, int length) {
        byte[] letters = new byte[length];
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < length; i++) {
            letters[i] = (byte) ('A' + random.nextInt(26));
        }
        return new PayloadRegion(letters);
    }

    /**
     * A region from which values of the given size can be copied without one value repeating itself.
     *
     * @param letters of capital letters instead of any bytes
     */
    static PayloadRegion forValuesOf(int sizeBytes, long seed, boolean letters) {
        long twice = Math.min(2L * sizeBytes, Integer.MAX_VALUE - 8);
        int length = (int) Math.max(DEFAULT_BYTES, twice);
        return of(seed, length, letters);
    }

    static PayloadRegion of(long seed, int length, boolean letters) {
        return letters ? ofLetters(seed, length) : new PayloadRegion(seed, length);
    }

    public int length() {
        return bytes.length;
    }

    void copy(int from, byte[] to, int at, int count) {
        System.arraycopy(bytes, from, to, at, count);
    }
}
