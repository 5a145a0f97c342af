package io.plimsoll.run.calibrate;

import com.sun.management.OperatingSystemMXBean;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerStats;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/**
 * The CPU time that the process and the null broker in it have used up to a moment. Immutable.
 *
 * @param generatorNanos CPU time of the process without the null broker's threads
 * @param kernelNanos by thread, the CPU time that it has spent in the kernel; the null broker's are not among them
 * @param wireBytes bytes of record batches that the null broker took or served
 * @param wireRecords the records in them
 */
record CpuMark(
        long atNanos,
        long generatorNanos,
        Map<Long, Long> kernelNanos,
        long brokerNanos,
        long wireBytes,
        long wireRecords) {
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    static CpuMark now(NullBroker broker) {
        NullBrokerStats stats = broker.stats();
        return new CpuMark(
                System.nanoTime(),
                Math.max(0, PROCESS.getProcessCpuTime() - stats.cpuNanos()),
                inKernelNanos(),
                stats.cpuNanos(),
                stats.bytes() + stats.fetched().bytes(),
                stats.records() + stats.fetched().records());
    }

    /** The share of all cores of the host that others than this process have used since the last call; 0 if unknown. */
    static double othersShare() {
        double all = PROCESS.getCpuLoad();
        double own = PROCESS.getProcessCpuLoad();
        return all < 0 || own < 0 ? 0 : Math.max(0, all - own);
    }

    private static Map<Long, Long> inKernelNanos() {
        Map<Long, Long> nanos = new HashMap<>();
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && !thread.getThreadName().startsWith(NullBroker.THREADS)) {
                long all = THREADS.getThreadCpuTime(thread.getThreadId());
                nanos.put(thread.getThreadId(), Math.max(0, all - THREADS.getThreadUserTime(thread.getThreadId())));
            }
        }
        return nanos;
    }

    /** Adds up the threads that are alive still: what others did before they ended is not known. */
    long kernelNanosSince(CpuMark before) {
        long sum = 0;
        for (Map.Entry<Long, Long> thread : kernelNanos.entrySet()) {
            // The two clocks differ by a few ticks.
            sum += Math.max(0, thread.getValue() - before.kernelNanos.getOrDefault(thread.getKey(), 0L));
        }
        return sum;
    }
}
