package io.plimsoll.observe.self;

import com.sun.management.OperatingSystemMXBean;
import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.GeneratorSample.WakeUps;
import io.plimsoll.measure.PeriodicTask;
import java.lang.management.ManagementFactory;

/**
 * Observes this JVM: each {@link #sample()} covers the time since the one before, the first one the time since the
 * observer was made. Owned by one thread; a sample costs well below a millisecond for a hundred threads. A thread of its own,
 * which ends when it is closed, sees the times for which nothing of the process runs.
 */
public final class SelfObserver implements AutoCloseable {
    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final BusiestThread threads = new BusiestThread();
    private final GarbageCollections collections = new GarbageCollections();
    private final CoreWaits cores = CoreWaits.ofThisProcess();
    private long atNanos = System.nanoTime();
    private final Standstills standstills = new Standstills(atNanos);
    private final PeriodicTask witness = standstills.watch();
    private long cpuNanos = cpuNanos();
    private long gcMillis = collections.pauseMillis();

    /**
     * The resources used since the last call. Ticks and late ticks are 0, since those who sleep count them. The busiest
     * thread is one of Java's, never a collector's or compiler's, whose work shows in the CPU time of the process.
     */
    public GeneratorSample sample() {
        long now = System.nanoTime();
        long cpu = cpuNanos();
        long gc = collections.pauseMillis();
        threads.observe(now);
        GeneratorSample sample = new GeneratorSample(
                Math.max(0, cpu - cpuNanos),
                threads.name(),
                threads.share(),
                Math.max(0, gc - gcMillis) * 1_000_000,
                WakeUps.NONE,
                collections.liveHeapBytes(),
                now - atNanos,
                cores.since(standstills.since(now - atNanos)));
        atNanos = now;
        cpuNanos = cpu;
        gcMillis = gc;
        return sample;
    }

    @Override
    public void close() {
        witness.end();
    }

    /** The JVM returns -1 where it cannot tell. */
    private long cpuNanos() {
        return Math.max(0, process.getProcessCpuTime());
    }
}
