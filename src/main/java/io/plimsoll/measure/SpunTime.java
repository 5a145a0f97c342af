package io.plimsoll.measure;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** CPU time that a thread spent spinning, to be subtracted from its utilization. Written by that thread, read by any thread. */
public final class SpunTime {
    private static final Map<Long, SpunTime> BY_THREAD = new ConcurrentHashMap<>();

    private final AtomicLong nanos = new AtomicLong();

    private SpunTime() {}

    public static SpunTime ofThisThread() {
        return BY_THREAD.computeIfAbsent(Thread.currentThread().getId(), id -> new SpunTime());
    }

    /** Spinning time of this thread in nanoseconds; 0 if it never spun. */
    public static long nanosOf(long threadId) {
        SpunTime spun = BY_THREAD.get(threadId);
        return spun == null ? 0 : spun.nanos.get();
    }

    /** Removes the calling thread's time. Call before the thread ends. */
    public static void forget() {
        BY_THREAD.remove(Thread.currentThread().getId());
    }

    public void add(long spunNanos) {
        nanos.lazySet(nanos.getPlain() + spunNanos);
    }
}
