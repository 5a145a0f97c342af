package io.plimsoll.observe.self;

import com.sun.management.ThreadMXBean;
import io.plimsoll.measure.SpunTime;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the thread with the highest CPU usage. With more than {@link #ALL_UP_TO} threads, only every {@link
 * #ALL_EVERY}th look covers all of them, and the {@link #HOT} busiest are observed in between. One thread.
 */
final class BusiestThread {
    static final int ALL_UP_TO = 1_000;
    static final int ALL_EVERY = 10;
    static final int HOT = 64;

    private record ThreadUse(long cpuNanos, long atNanos, double share) {}

    private final ThreadMXBean bean = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private final boolean supported = bean.isThreadCpuTimeSupported() && bean.isThreadCpuTimeEnabled();
    private final int allUpTo;
    private Map<Long, ThreadUse> seen = new HashMap<>();
    private long[] hot = new long[0];
    private long allAtNanos = System.nanoTime();
    private int sinceAll;
    private String name = "";
    private double share;

    BusiestThread() {
        this(ALL_UP_TO);
    }

    /** @param allUpTo with more threads than this, only the hot ones are looked at most of the time */
    BusiestThread(int allUpTo) {
        this.allUpTo = allUpTo;
        observe(System.nanoTime());
    }

    /** Empty if no thread used any CPU, or the JVM does not report it. */
    String name() {
        return name;
    }

    /** The share of one core, 0 to 1, since the last call, without waiting time. */
    double share() {
        return share;
    }

    void observe(long nowNanos) {
        name = "";
        share = 0;
        if (!supported) {
            return;
        }
        boolean all = hot.length == 0 || bean.getThreadCount() <= allUpTo || ++sinceAll >= ALL_EVERY;
        long[] ids = all ? bean.getAllThreadIds() : hot;
        long[] cpu = bean.getThreadCpuTime(ids);
        Map<Long, ThreadUse> next = all ? new HashMap<>(2 * ids.length) : seen;
        long busiest = -1;
        for (int i = 0; i < ids.length; i++) {
            if (cpu[i] < 0) {
                continue; // ended in between
            }
            ThreadUse now = since(seen.get(ids[i]), Math.max(0, cpu[i] - SpunTime.nanosOf(ids[i])), nowNanos);
            next.put(ids[i], now);
            if (now.share > share) {
                share = now.share;
                busiest = ids[i];
            }
        }
        if (all) {
            seen = next;
            hot = hottest(ids);
            allAtNanos = nowNanos;
            sinceAll = 0;
        }
        ThreadInfo info = busiest < 0 ? null : bean.getThreadInfo(busiest);
        name = info == null ? "" : info.getThreadName();
    }

    /** A new thread started after the last look at all of them. */
    private ThreadUse since(ThreadUse before, long cpuNanos, long nowNanos) {
        long usedNanos = cpuNanos - (before == null ? 0 : before.cpuNanos);
        long elapsedNanos = nowNanos - (before == null ? allAtNanos : before.atNanos);
        double used = elapsedNanos <= 0 ? 0 : (double) usedNanos / elapsedNanos;
        return new ThreadUse(cpuNanos, nowNanos, Math.min(1, Math.max(0, used)));
    }

    private long[] hottest(long[] ids) {
        if (ids.length <= allUpTo) {
            return ids;
        }
        return Arrays.stream(ids)
                .boxed()
                .filter(seen::containsKey)
                .sorted(Comparator.comparingDouble((Long id) -> seen.get(id).share)
                        .reversed())
                .limit(HOT)
                .mapToLong(Long::longValue)
                .toArray();
    }
}
