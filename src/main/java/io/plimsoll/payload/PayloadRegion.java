package io.plimsoll.payload;

import java.util.SplittableRandom;

/**
 * A block of random bytes that all threads copy their values from: copying costs a fraction of drawing, and a block of
 * some megabytes is longer than the distance over which a codec finds repetitions. Immutable.
 */
public final class PayloadRegion {
    public static final int DEFAULT_BYTES = 4 << 20;

    private final byte[] bytes;

    /** @param letters capital letters instead of any bytes; {@code length} is more than 0 */
    PayloadRegion(long seed, int length, boolean letters) {
        this.bytes = new byte[length];
        SplittableRandom random = new SplittableRandom(seed);
        if (!letters) {
            random.nextBytes(bytes);
        }
        for (int i = 0; letters && i < length; i++) {
            bytes[i] = (byte) ('A' + random.nextInt(26));
        }
    }

    /** A region from which values of the given size can be copied without one value repeating itself. */
    static PayloadRegion forValuesOf(int sizeBytes, long seed, boolean letters) {
        long twice = Math.min(2L * sizeBytes, Integer.MAX_VALUE - 8);
        return new PayloadRegion(seed, (int) Math.max(DEFAULT_BYTES, twice), letters);
    }

    public int length() {
        return bytes.length;
    }

    void copy(int from, byte[] to, int at, int count) {
        System.arraycopy(bytes, from, to, at, count);
    }

    /**
     * Where one thread is in the region: its values follow each other there, whatever their sizes, since what two of them had
     * in common would compress. Owned by the thread.
     */
    static final class Walk {
        /** Each lap begins elsewhere, so that no value of one lap comes again in the next. */
        private static final int LAP_SHIFTS = 61;

        private final int length;
        private int position;
        private int lap;

        /**
         * @param start where this thread begins, 0 to 1: threads that send into one batch stay apart
         * @param most the largest number of bytes that is taken at once
         */
        Walk(PayloadRegion region, double start, int most) {
            this.length = region.length();
            this.position = (int) (start * Math.max(0, length - most));
        }

        /** Where the next so many bytes are. */
        int take(int count) {
            int last = length - count;
            if (position > last) {
                lap++;
                position = Math.min(lap % LAP_SHIFTS, last);
            }
            int at = position;
            position += count;
            return at;
        }
    }
}
