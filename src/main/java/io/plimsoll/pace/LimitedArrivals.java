package io.plimsoll.pace;

/** See {@link Arrivals#limited(Arrivals, long, long)}. */
final class LimitedArrivals implements Arrivals {
    private final Arrivals arrivals;
    private final long fromNanos;
    private long left;

    LimitedArrivals(Arrivals arrivals, long count, long fromNanos) {
        if (count < 0) {
            throw new IllegalArgumentException("a limit of " + count);
        }
        this.arrivals = arrivals;
        this.left = count;
        this.fromNanos = fromNanos;
    }

    @Override
    public long nextDueNanos() {
        if (left < 0) {
            return Long.MAX_VALUE;
        }
        long due = arrivals.nextDueNanos();
        if (due >= fromNanos && --left < 0) {
            return Long.MAX_VALUE;
        }
        return due;
    }
}
