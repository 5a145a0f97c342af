package io.plimsoll.engine;

/**
 * Which of an entry's clients, or of its consumer groups, one worker has: neighbours, numbered as if one worker had
 * them all. The slices of all workers together are the entry.
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
}
