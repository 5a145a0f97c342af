package io.plimsoll.observe.self;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Garbage collections of this JVM, whichever collectors it has. */
final class GarbageCollections {
    private final List<GarbageCollectorMXBean> collectors =
            ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);
    private final Set<String> heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toSet());

    /**
     * Milliseconds of collecting since the JVM started, of all collectors. The beans that count work beside the
     * running program (ZGC's and Shenandoah's cycles, G1's concurrent phases) are left out: they stop nobody, and the
     * pauses within them have a bean of their own.
     */
    long pauseMillis() {
        long millis = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            String name = collector.getName();
            if (!name.endsWith("Cycles") && !name.contains("Concurrent")) {
                millis += Math.max(0, collector.getCollectionTime());
            }
        }
        return millis;
    }

    /**
     * Bytes that the heap held right after the latest collection, 0 before the first. A young collection leaves the
     * old generation as it is, so this is an upper bound of what is alive. Taken from the collectors and not from the
     * pools' own "collection usage", since that says 0 for an old generation until it was collected itself.
     */
    long liveHeapBytes() {
        long latestMillis = -1;
        long latestBytes = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            GcInfo last = collector.getLastGcInfo();
            long bytes = last == null ? 0 : heapBytes(last);
            // A bean that counts pauses alone reports no memory.
            if (bytes > 0 && last.getEndTime() > latestMillis) {
                latestMillis = last.getEndTime();
                latestBytes = bytes;
            }
        }
        return latestBytes;
    }

    private long heapBytes(GcInfo info) {
        return info.getMemoryUsageAfterGc().entrySet().stream()
                .filter(pool -> heapPools.contains(pool.getKey()))
                .mapToLong(pool -> pool.getValue().getUsed())
                .sum();
    }
}
