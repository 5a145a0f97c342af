package io.plimsoll.measure;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A count with one writing thread and any number of reading threads. Adding is a plain read and an ordered write: no
 * locked instruction, so it costs about a nanosecond.
 */
public final class Counter {
    private final AtomicLong value = new AtomicLong();
    /** The count that the draining thread saw last. */
    private long drained;

    /** Only the owning thread calls this. */
    public void add(long n) {
        value.lazySet(value.getPlain() + n);
    }

    public long get() {
        return value.get();
    }

    /** Returns what was added since the last call; only one reading thread calls this. */
    public long drain() {
        long before = drained;
        drained = value.get();
        return drained - before;
    }
}
