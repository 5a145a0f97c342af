package io.plimsoll.load;

import java.util.stream.IntStream;

/**
 * A worker's part of an entry's clients or group members, numbered over all workers; members are numbered group by
 * group. The slices of all workers together form the entry.
 * @param count 0 if the worker has none
 */
public record Slice(int from, int count) {
    public Slice {
        if (from < 0 || count < 0) {
            throw new IllegalArgumentException("a slice of " + count + " from " + from);
        }
    }

    /** All units, for a single worker. */
    public static Slice all(int count) {
        return new Slice(0, count);
    }

    public int to() {
        return from + count;
    }

    /**
     * The place of the worker's n-th unit in a schedule of all units: workers take turns, so that each has a steady share
     * of the rate.
     *
     * @param all units of all workers
     */
    public double turn(long n, int all) {
        return ((double) n * all + from) / count;
    }

    /** Numbers of the groups that have members in this slice, if all groups have this size. */
    public IntStream groups(int size) {
        return count == 0 ? IntStream.empty() : IntStream.rangeClosed(from / size, (to() - 1) / size);
    }

    /** This slice's part of one group of this size, numbered within the group. */
    public Slice within(int group, int size) {
        int first = Math.max(from, group * size);
        int end = Math.min(to(), (group + 1) * size);
        return first < end ? new Slice(first - group * size, end - first) : new Slice(0, 0);
    }
}
