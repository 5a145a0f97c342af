package io.plimsoll.measure;

/**
 * A partition of a consumer group that was given to a member, perhaps to the one that had it before. Times are nanoseconds
 * of one clock.
 *
 * @param partition such as {@code orders-3}
 * @param fromNanos when the last poll before returned records of it
 * @param givenNanos when the member was told, for the last time if it was told several times
 * @param toNanos when the first poll after that returned records of it
 * @param again records that were read once more since
 */
public record HandOver(String partition, long fromNanos, long givenNanos, long toNanos, long again) {
    /** The same when more were read once more. */
    public HandOver with(long more) {
        return new HandOver(partition, fromNanos, givenNanos, toNanos, again + more);
    }

    /** The same on a time axis that begins later. */
    public HandOver since(long startNanos) {
        return new HandOver(partition, fromNanos - startNanos, givenNanos - startNanos, toNanos - startNanos, again);
    }
}
