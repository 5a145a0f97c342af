package io.plimsoll.observe.self;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.plimsoll.LinuxRoot;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.measure.SpunTime;
import io.plimsoll.observe.incident.IncidentSink;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * Observes this JVM. Each {@link #read} covers the time since the previous read, or since construction, and takes well
 * below a millisecond for a hundred threads. An internal thread detects standstills. Owned by one thread.
 */
public final class SelfObserver implements AutoCloseable {
    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final BusiestThread threads = new BusiestThread();
    private final GarbageCollections collections = new GarbageCollections();
    private final CoreWaits cores = new CoreWaits(LinuxRoot.PATH.resolve("proc/self/task"));
    private long atNanos = System.nanoTime();
    private final Pauses pauses = new Pauses();
    private final Standstills standstills;
    private final PeriodicTask witness;
    private long cpuNanos = cpuNanos();
    private long gcMillis = collections.pauseMillis();

    /** @param crowd number of processes like this per core, at least 1; the interval of checks is multiplied by it */
    public SelfObserver(int crowd) {
        standstills = new Standstills(atNanos, crowd * Standstills.EVERY_NANOS, pauses);
        witness = standstills.watch();
        collections.tell(pauses);
    }

    /**
     * Adds the resources used since the last call, except for late wake-ups. The CPU time of garbage collector and
     * compiler threads is included only in the process total.
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

    /** Adds the pauses of this process since the last call; includes the latest pauses only if {@code last}. */
    public void incidents(IncidentSink into, boolean last) {
        pauses.take(System.nanoTime(), last, into);
    }

    @Override
    public void close() {
        witness.end();
        collections.forget(pauses);
    }

    /** CPU time of the process in ns; 0 if unknown. */
    private long cpuNanos() {
        return Math.max(0, process.getProcessCpuTime());
    }

    /** Garbage collections of this JVM, with any collector. */
    private static final class GarbageCollections {
        private final List<GarbageCollectorMXBean> collectors =
                ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);
        private final Set<String> heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getName)
                .collect(Collectors.toSet());

        /**
         * Time in stop-the-world collections since the JVM started. Beans that count concurrent work are excluded,
         * because separate beans count their pauses.
         */
        long pauseMillis() {
            long millis = 0;
            for (GarbageCollectorMXBean collector : collectors) {
                millis += pauses(collector) ? Math.max(0, collector.getCollectionTime()) : 0;
            }
            return millis;
        }

        private static boolean pauses(GarbageCollectorMXBean collector) {
            return !collector.getName().endsWith("Cycles")
                    && !collector.getName().contains("Concurrent");
        }

        void tell(NotificationListener pauses) {
            for (GarbageCollectorMXBean collector : collectors) {
                if (pauses(collector) && collector instanceof NotificationEmitter emitter) {
                    emitter.addNotificationListener(pauses, null, null);
                }
            }
        }

        void forget(NotificationListener pauses) {
            for (GarbageCollectorMXBean collector : collectors) {
                try {
                    if (pauses(collector) && collector instanceof NotificationEmitter emitter) {
                        emitter.removeNotificationListener(pauses);
                    }
                } catch (ListenerNotFoundException e) {
                    // The listener was not registered.
                }
            }
        }

        /**
         * Heap bytes after the latest collection; 0 before the first collection. An upper bound of live data, since a
         * young collection leaves the old generation unchanged. "Collection usage" of pools is 0 until their first
         * collection.
         */
        long liveHeapBytes() {
            long latestMillis = -1;
            long latestBytes = 0;
            for (GarbageCollectorMXBean collector : collectors) {
                GcInfo last = collector.getLastGcInfo();
                long bytes = last == null ? 0 : heapBytes(last);
                // A bean that counts only pauses reports no memory.
                if (last != null && bytes > 0 && last.getEndTime() > latestMillis) {
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

    /**
     * The latest pauses of this process: garbage collections reported by the JVM, and standstills that these do not
     * explain. Thread-safe.
     */
    static final class Pauses implements NotificationListener {
        private static final String WHERE = "generator";
        private static final long LEAST_COLLECTION_NANOS = 10_000_000;
        private static final long LEAST_STANDSTILL_NANOS = 20_000_000;
        /** Maximum delay in ns until the JVM reports a completed collection. */
        private static final long REPORTED_WITHIN_NANOS = 500_000_000;
        /** Maximum number of pauses between two calls of {@link #take}, to bound memory. */
        private static final int MOST = 1_000;

        private record Pause(
                long fromNanos,
                long toNanos,
                long errorNanos,
                @Nullable String collector) {
            boolean explains(Pause standstill) {
                long common = Math.min(toNanos, standstill.toNanos) - Math.max(fromNanos, standstill.fromNanos);
                return 2 * common > standstill.toNanos - standstill.fromNanos;
            }

            void tell(Incident.Kind kind, IncidentSink into) {
                into.add(kind, WHERE, fromNanos, toNanos, errorNanos, collector);
            }
        }

        private final ArrayDeque<Pause> collections = new ArrayDeque<>();
        private final ArrayDeque<Pause> standstills = new ArrayDeque<>();
        /**
         * {@link System#nanoTime} at time zero of collections, which is later than the start of the JVM's uptime.
         * Estimated from the shortest delay between the end of a collection and its notification.
         */
        private long zeroNanos = Long.MAX_VALUE;

        @Override
        public void handleNotification(Notification notification, Object handback) {
            if (notification.getUserData() instanceof CompositeData data) {
                GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
                GcInfo gc = info.getGcInfo();
                collected(System.nanoTime(), gc.getStartTime(), gc.getEndTime(), info.getGcName());
            }
        }

        /** @param fromMillis start of the collection, in ms since time zero of collections */
        synchronized void collected(long nowNanos, long fromMillis, long toMillis, String collector) {
            zeroNanos = Math.min(zeroNanos, nowNanos - toMillis * 1_000_000);
            long from = zeroNanos + fromMillis * 1_000_000;
            add(collections, new Pause(from, zeroNanos + toMillis * 1_000_000, 1_000_000, collector));
        }

        synchronized void stood(long fromNanos, long toNanos, long errorNanos) {
            if (toNanos - fromNanos >= LEAST_STANDSTILL_NANOS) {
                add(standstills, new Pause(fromNanos, toNanos, errorNanos, null));
            }
        }

        private static void add(ArrayDeque<Pause> to, Pause pause) {
            if (to.size() < MOST) {
                to.add(pause);
            }
        }

        /**
         * @param last whether to include the latest standstills, although a garbage collection that has not been
         *     reported yet could explain them
         */
        synchronized void take(long nowNanos, boolean last, IncidentSink into) {
            long settled = last ? Long.MAX_VALUE : nowNanos - REPORTED_WITHIN_NANOS;
            while (!standstills.isEmpty() && standstills.peek().toNanos < settled) {
                Pause pause = standstills.remove();
                if (collections.stream().noneMatch(c -> c.explains(pause))) {
                    pause.tell(Incident.Kind.PROCESS_PAUSE, into);
                }
            }
            // Collections are kept until every standstill that they could explain is reported.
            while (!collections.isEmpty() && collections.peek().toNanos < settled - REPORTED_WITHIN_NANOS) {
                Pause pause = collections.remove();
                if (pause.toNanos - pause.fromNanos >= LEAST_COLLECTION_NANOS) {
                    pause.tell(Incident.Kind.GC, into);
                }
            }
        }
    }

    /**
     * Detects times at which no thread of this process runs. A thread that only sleeps and did not wait for a core
     * wakes up late only if all threads were stopped, for example by a signal. Thread-safe.
     */
    static final class Standstills {
        static final long EVERY_NANOS = 5_000_000;
        /** Minimum length in ns; a shorter delay is normal on a busy system and not a standstill. */
        static final long LEAST_NANOS = 5_000_000;

        private static final Path COUNTERS = LinuxRoot.PATH.resolve("proc/thread-self/schedstat");

        /** Scheduler counters of the thread that detects standstills. */
        private @Nullable RandomAccessFile counters;

        private final byte[] line = new byte[64];
        private final long everyNanos;
        private long awakeNanos;
        private long coreWaitNanos;
        private long stoodNanos;
        private double squares;
        private final Pauses pauses;

        Standstills(long nowNanos, long everyNanos, Pauses pauses) {
            awakeNanos = nowNanos;
            this.everyNanos = everyNanos;
            this.pauses = pauses;
        }

        PeriodicTask watch() {
            return PeriodicTask.each(
                    "plimsoll-witness", awakeNanos, everyNanos, 1, () -> awake(System.nanoTime(), coreWaits()));
        }

        /**
         * Total time for which that thread has waited for a core; 0 if unavailable. The file is closed when it is
         * garbage-collected.
         */
        private long coreWaits() {
            try {
                if (counters == null && LinuxRoot.isHere()) {
                    counters = new RandomAccessFile(COUNTERS.toFile(), "r");
                }
                if (counters != null) {
                    counters.seek(0);
                    int length = Math.max(0, counters.read(line));
                    return Long.parseLong(new String(line, 0, length, StandardCharsets.US_ASCII).split(" ", -1)[1]);
                }
            } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
                // Not available.
            }
            return 0;
        }

        /**
         * Records a wake-up; a late one means a standstill of at least the delay. {@code waitedNanos} is the thread's
         * total wait for a core.
         */
        synchronized void awake(long nowNanos, long waitedNanos) {
            long late = nowNanos - awakeNanos - everyNanos - (waitedNanos - coreWaitNanos);
            coreWaitNanos = waitedNanos;
            if (late >= LEAST_NANOS) {
                stoodNanos += late;
                squares += late / 1e3 * (late / 1e3);
                pauses.stood(nowNanos - late, nowNanos, everyNanos);
            }
            awakeNanos = nowNanos;
        }

        /** Adds the observations since the last call. {@code elapsedNanos} is the time since then. */
        synchronized void read(long elapsedNanos, Counts.Sum into) {
            into.add(GeneratorUse.WATCHED_NANOS, elapsedNanos)
                    .add(GeneratorUse.STOOD_NANOS, stoodNanos)
                    .add(GeneratorUse.STOOD_SQUARES, Double.valueOf(squares));
            stoodNanos = 0;
            squares = 0;
        }
    }

    /** Waits of runnable load threads for a core, from Linux counters; none on other systems. Used by one thread. */
    static final class CoreWaits {
        /** Maximum number of observed threads: among thousands, a sample is sufficient, and each thread takes some microseconds. */
        private static final int MOST = 64;
        /** The two ways in which JVMs truncate thread names for the operating system. */
        private static final List<String> OF_THE_LOAD =
                List.of("kafka-p", "plimsoll-raw", "plimsoll-send", "plimsol..");

        private static final String SENDER = "plimsoll-send";

        /** The counters of a thread at its last reading. */
        private record ThreadWaits(boolean takesAnswers, long waitedNanos, long runs) {}

        private final Path tasks;
        private final Map<String, ThreadWaits> seen = new HashMap<>();
        private final Set<String> others = new HashSet<>();
        private long runs;
        private long waitedNanos;
        private long mostNanos;

        /** @param tasks a directory such as {@code /proc/self/task} */
        CoreWaits(Path tasks) {
            this.tasks = tasks;
            look();
        }

        void read(Counts.Sum into) {
            runs = 0;
            waitedNanos = 0;
            mostNanos = 0;
            look();
            into.add(GeneratorUse.CORE_WAITS, runs)
                    .add(GeneratorUse.CORE_WAIT_NANOS, waitedNanos)
                    .add(GeneratorUse.STARVED_NANOS, mostNanos);
        }

        private void look() {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
                Set<String> there = new HashSet<>();
                for (Path task : all) {
                    there.add(task.getFileName().toString());
                    look(task);
                }
                // New threads can reuse the IDs of ended threads.
                seen.keySet().retainAll(there);
                others.retainAll(there);
            } catch (IOException | DirectoryIteratorException e) {
                // Not on Linux, or without permission.
            }
        }

        private void look(Path task) {
            String id = task.getFileName().toString();
            ThreadWaits before = seen.get(id);
            if (before == null && (others.contains(id) || seen.size() >= MOST)) {
                return;
            }
            try {
                String name =
                        before == null ? Files.readString(task.resolve("comm")).trim() : "";
                if (before == null && OF_THE_LOAD.stream().noneMatch(name::startsWith)) {
                    others.add(id);
                    return;
                }
                String[] counters =
                        Files.readString(task.resolve("schedstat")).trim().split(" ", -1);
                ThreadWaits now = new ThreadWaits(
                        before == null ? !name.startsWith(SENDER) : before.takesAnswers,
                        Long.parseLong(counters[1]),
                        Long.parseLong(counters[2]));
                seen.put(id, now);
                if (before != null) {
                    count(before, now);
                }
            } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
                seen.remove(id); // The thread ended during the reading, or the kernel has no such counters.
            }
        }

        private void count(ThreadWaits before, ThreadWaits now) {
            long waited = Math.max(0, now.waitedNanos - before.waitedNanos);
            mostNanos = Math.max(mostNanos, waited);
            if (now.takesAnswers) {
                waitedNanos += waited;
                runs += Math.max(0, now.runs - before.runs);
            }
        }
    }

    /**
     * Finds the thread with the highest CPU usage. With more than {@link #ALL_UP_TO} threads, only every {@link
     * #ALL_EVERY}th look covers all of them, and only the {@link #HOT} busiest threads are read in between. Used by one
     * thread.
     */
    static final class BusiestThread {
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

        /** @param allUpTo number of threads above which most reads cover only the hot threads */
        BusiestThread(int allUpTo) {
            this.allUpTo = allUpTo;
            observe(System.nanoTime());
        }

        /** Name of the busiest thread; empty if no thread used any CPU, or the JVM does not report it. */
        String name() {
            return name;
        }

        /** CPU time of the busiest thread as a share of one core, 0 to 1, since the last call, without its spinning. */
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
                    continue; // The thread ended during the reading.
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

        /** CPU use since the last reading; a thread without a last reading started after the last reading of all threads. */
        private ThreadUse since(@Nullable ThreadUse before, long cpuNanos, long nowNanos) {
            long usedNanos = cpuNanos - (before == null ? 0 : before.cpuNanos);
            long elapsedNanos = nowNanos - (before == null ? allAtNanos : before.atNanos);
            double used = elapsedNanos <= 0 ? 0 : (double) usedNanos / elapsedNanos;
            return new ThreadUse(cpuNanos, nowNanos, Math.min(1, Math.max(0, used)));
        }

        private long[] hottest(long[] ids) {
            if (ids.length <= allUpTo) {
                return ids;
            }
            return seen.entrySet().stream()
                    .sorted(Comparator.comparingDouble((Map.Entry<Long, ThreadUse> e) -> e.getValue().share)
                            .reversed())
                    .limit(HOT)
                    .mapToLong(Map.Entry::getKey)
                    .toArray();
        }
    }
}
