package io.plimsoll.audit;

import java.util.Arrays;

/** Ranges of offsets, added in ascending order. Not thread-safe. */
public final class OffsetRanges {
    private long[] bounds = new long[8];
    private int count;

    /** @param first not below the last one added */
    public void add(long first, long last) {
        if (count > 0 && bounds[2 * count - 1] == first - 1) {
            bounds[2 * count - 1] = last;
            return;
        }
        if (2 * count == bounds.length) {
            bounds = Arrays.copyOf(bounds, 4 * count);
        }
        bounds[2 * count] = first;
        bounds[2 * count + 1] = last;
        count++;
    }

    /** The number of ranges. */
    public int count() {
        return count;
    }

    public long first(int index) {
        return bounds[2 * index];
    }

    public long last(int index) {
        return bounds[2 * index + 1];
    }
}
