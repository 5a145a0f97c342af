package io.plimsoll.pace;

/** Thread i of W takes the schedule's events i, i + W, i + 2W, …: together the threads take each event exactly once. */
public final class UniformArrivals implements Arrivals {
    private final Schedule schedule;
    private final int count;
    private long next;

    /**
     * @param index of the thread, 0 to {@code count − 1}
     * @param count how many threads share the schedule
     */
    public UniformArrivals(Schedule schedule, int index, int count) {
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException("thread " + index + " of " + count);
        }
        this.schedule = schedule;
        this.count = count;
        this.next = index;
    }

    @Override
    public long nextDueNanos() {
        long due = schedule.dueNanos(next);
        next += count;
        return due;
    }

    @Override
    public long lastDueNanos() {
        return schedule.dueNanos(next - count);
    }
}
