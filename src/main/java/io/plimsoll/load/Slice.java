package io.plimsoll.load;

import java.util.stream.IntStream;

/**
 * Which of an entry's clients, or of the members of its consumer groups, one worker has: neighbours, numbered as if one
 * worker had them all; members group by group. The slices of all workers together are the entry.
 *
 * @param from number of the first
 * @param count how many; 0 if the worker has none
 */
public record Slice(int from, int count) {
    public Slice {
        if (from < 0 || count < 0) {
            throw new IllegalArgumentException("a slice of " + count + " from " + from);
        }
    }

    /** Everything, for a worker that is alone. */
    public static Slice all(int count) {
        return new Slice(0, count);
    }

    /** The number after the last. */
    public int to() {
        return from + count;
    }

    /** Numbers of the groups of this size of which it has at least a part. */
    public IntStream groups(int size) {
        return count == 0 ? IntStream.empty() : IntStream.rangeClosed(from / size, (to() - 1) / size);
    }

    /** The part that it has of one group of this size, numbered from the group's first. */
    public Slice within(int group, int size) {
        int first = Math.max(from, group * size);
        int end = Math.min(to(), (group + 1) * size);
        return first < end ? new Slice(first - group * size, end - first) : new Slice(0, 0);
    }
}
