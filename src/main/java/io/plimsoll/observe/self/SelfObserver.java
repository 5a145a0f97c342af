package io.plimsoll.observe.self;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import com.sun.management.OperatingSystemMXBean;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.PeriodicTask;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Observes this JVM: each {@link #read} covers the time since the one before, the first one the time since the
 * observer was made. Owned by one thread; a sample costs well below a millisecond for a hundred threads. A thread of its own,
 * which ends when it is closed, sees the times for which nothing of the process runs.
 */
public final class SelfObserver implements AutoCloseable {
    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final BusiestThread threads = new BusiestThread();
    private final GarbageCollections collections = new GarbageCollections();
    private final CoreWaits cores = new CoreWaits(Path.of("/proc/self/task"));
    private long atNanos = System.nanoTime();
    private final Standstills standstills = new Standstills(atNanos);
    private final PeriodicTask witness = standstills.watch();
    private long cpuNanos = cpuNanos();
    private long gcMillis = collections.pauseMillis();

    /**
     * Adds the resources used since the last call, except for the wake-ups of sending threads. The busiest thread is a
     * Java thread; collector and compiler threads show only in the CPU time of the process.
     */
    public void read(MeterReading into) {
        long now = System.nanoTime();
        long cpu = cpuNanos();
        long gc = collections.pauseMillis();
        threads.observe(now);
        into.busiest(new Busiest(threads.name(), threads.share()));
        into.whole()
                .add(GeneratorUse.CPU_NANOS, Math.max(0, cpu - cpuNanos))
                .add(GeneratorUse.GC_NANOS, Math.max(0, gc - gcMillis) * 1_000_000)
                .add(GeneratorUse.HEAP_USED_BYTES, collections.liveHeapBytes())
                .add(GeneratorUse.ELAPSED_NANOS, now - atNanos);
        standstills.read(now - atNanos, into.whole());
        cores.read(into.whole());
        atNanos = now;
        cpuNanos = cpu;
        gcMillis = gc;
    }

    @Override
    public void close() {
        witness.end();
    }

    /** The JVM returns -1 where it cannot tell. */
    private long cpuNanos() {
        return Math.max(0, process.getProcessCpuTime());
    }

    /** Garbage collections of this JVM, whichever collectors it has. */
    private static final class GarbageCollections {
        private final List<GarbageCollectorMXBean> collectors =
                ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);
        private final Set<String> heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getName)
                .collect(Collectors.toSet());

        /**
         * Milliseconds in stop-the-world collections since the JVM started. Beans that count concurrent work (ZGC's and
         * Shenandoah's cycles, G1's concurrent phases) are excluded; their pauses have beans of their own.
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
         * Heap bytes right after the latest collection, 0 before the first. A young collection leaves the old
         * generation unchanged, so this is an upper limit of live data. Taken from the collectors, because the pools'
         * "collection usage" is 0 for an old generation until it is collected itself.
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
}
