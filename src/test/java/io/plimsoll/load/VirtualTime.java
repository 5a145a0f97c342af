package io.plimsoll.load;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time, which passes only during waits, with scheduled events. Of one thread. */
public final class VirtualTime implements Waiter {
    public static final long MILLI = 1_000_000;
    public static final long SECOND = 1_000_000_000;

    private record Event(long nanos, long number, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number));
    /** Not 0, because a real clock is not 0 either; and negative, because it can be. */
    private long now = -77 * SECOND;

    private AssertionError failure;
    private long added;
    /** Oversleep added to every sleep. */
    public long oversleepNanos;

    /** Number of spins. */
    public long spins;

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void park(long nanos) {
        passTo(now + Math.max(1, nanos) + oversleepNanos);
    }

    @Override
    public void spin() {
        spins++;
        passTo(now + 100);
    }

    /** Schedules an event, in the thread for which time passes. */
    public void at(long nanos, Runnable action) {
        events.add(new Event(Math.max(now, nanos), added++, action));
    }

    /** Advances time to this point. */
    public void passTo(long nanos) {
        while (!events.isEmpty() && events.peek().nanos() <= nanos) {
            Event next = events.poll();
            now = Math.max(now, next.nanos());
            try {
                next.action().run();
            } catch (AssertionError e) {
                failure = e;
                throw e;
            }
        }
        now = Math.max(now, nanos);
    }

    /** Fails if an assertion of an event failed, because loops handle any error of their waits. */
    public void check() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Advances time to the next event; false if none is scheduled. */
    public boolean passToNext() {
        if (events.isEmpty()) {
            return false;
        }
        passTo(events.peek().nanos());
        return true;
    }
}
