package io.plimsoll.run;

import com.sun.management.OperatingSystemMXBean;
import io.plimsoll.Daemon;
import io.plimsoll.audit.JournalWriter;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBroker.NullBrokerStats;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.stats.Spread;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs this process's own code before a trial so that the JIT has compiled it. Clients like the trial's work against an
 * in-process null broker, first at full speed, then on a schedule if the trial has one. Its clients, meters,
 * identities, and broker are separate, and its records never reach the cluster.
 */
final class SelfWarming {
    private static final Logger LOG = LoggerFactory.getLogger(SelfWarming.class);
    private static final long SLICE_MILLIS = 150;
    /** Maximum fraction of the limit for the full-speed part. */
    private static final double FULL_SPEED_SHARE = 0.6;

    private static final long END_MILLIS = 1000;
    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final WarmLoad load;
    private final NullBroker broker;
    private final LoadContext context;
    private final BooleanSupplier stopped;
    private final JournalWriter journal;
    /** The error that ended it; null if none. */
    private volatile RuntimeException failure;

    private volatile boolean ending;

    private SelfWarming(WarmLoad load, TrialAssignment trial, NullBroker broker, long runId, BooleanSupplier stopped) {
        this.load = load;
        this.broker = broker;
        this.stopped = stopped;
        LoadContext of = trial.context();
        Map<String, Object> connection = new ClusterConnection(broker.bootstrapServers(), Map.of()).clientProperties();
        LoadContext plain = new LoadContext(connection, "plimsoll-warm-" + of.runTag(), runId, of.seed(), note -> {});
        this.context = of.trail() == null ? plain : plain.with(new AuditTrail(runId));
        this.journal = new JournalWriter(trial.scenario().producedTopics());
    }

    /**
     * Warms up if the trial requests it.
     *
     * @param worker name of this process
     * @param stopped ends it early
     * @return the result; empty if not requested
     */
    static List<SelfWarmup> of(String worker, TrialAssignment trial, BooleanSupplier stopped) {
        if (trial.selfWarmup().isZero()) {
            return List.of();
        }
        long start = System.nanoTime();
        WarmLoad load = new WarmLoad(trial);
        if (load.isEmpty()) {
            return List.of(new SelfWarmup(worker, 0, 0, SelfWarmup.FAILED, load.without()));
        }
        long runId = new SplittableRandom(trial.context().runId()).nextLong() | 1;
        long records;
        String end;
        try (NullBroker broker = NullBroker.start(load.broker(runId))) {
            end = new SelfWarming(load, trial, broker, runId, stopped).run(trial.selfWarmup());
            records = records(broker.stats());
        }
        // Collect its garbage before the measurement.
        System.gc();
        return List.of(new SelfWarmup(worker, (System.nanoTime() - start) / 1e9, records, end, load.without()));
    }

    private static long records(NullBrokerStats stats) {
        return stats.records() + stats.fetched().records();
    }

    private String run(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        boolean paced = load.paced();
        long first = paced ? Math.round(limit.toNanos() * FULL_SPEED_SHARE) : limit.toNanos();
        boolean steady = phase(false, System.nanoTime() + first);
        if (paced && failure == null && !stopped.getAsBoolean()) {
            steady &= phase(true, deadline);
        }
        if (failure != null) {
            LOG.warn("The load generator could not warm itself", failure);
            return SelfWarmup.FAILED;
        }
        return steady ? SelfWarmup.STEADY : SelfWarmup.LIMIT;
    }

    /** @return whether the load became steady before the deadline */
    private boolean phase(boolean atPace, long deadlineNanos) {
        Scenario scenario = load.scenario(atPace, Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime())));
        try (Admin admin = new ClusterConnection(broker.bootstrapServers(), Map.of()).admin()) {
            ending = false;
            Topics topics = new Topics(admin);
            LocalWorker worker = new LocalWorker("self-warmup", topics);
            Thread thread = Daemon.start("plimsoll-self-warmup", () -> work(worker, topics, scenario));
            try {
                return watch(thread, deadlineNanos);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                end(worker, thread);
            }
        }
    }

    private void work(LocalWorker worker, Topics topics, Scenario scenario) {
        try {
            worker.prepare(new TrialAssignment("self-warmup", scenario, context, EndToEndSource.STAMP));
            if (context.trail() != null) {
                Map<TopicPartition, Long> ends = topics.endOffsets(scenario.producedTopics());
                context.trail().begin(ends);
            }
            worker.run(snapshot -> {});
        } catch (RuntimeException e) {
            // An interrupt during preparation is only a late end.
            failure = ending ? null : e;
        }
    }

    private boolean watch(Thread thread, long deadlineNanos) throws InterruptedException {
        Rest rest = new Rest();
        Mark last = mark();
        while (thread.isAlive() && System.nanoTime() < deadlineNanos && !stopped.getAsBoolean()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            thread.join(Math.max(1, Math.min(SLICE_MILLIS, left)));
            journal.begin(0);
            if (context.trail() != null) {
                context.trail().drain(journal);
            }
            Mark now = mark();
            if (now.records > last.records) {
                rest.add(now.rate(last), now.cpuNanosPerRecord(last), now.compilingShare(last));
            }
            last = now;
            if (rest.reached()) {
                return true;
            }
        }
        return false;
    }

    private void end(LocalWorker worker, Thread thread) {
        ending = true;
        worker.abandon();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(END_MILLIS);
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(END_MILLIS);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Mark mark() {
        NullBrokerStats stats = broker.stats();
        return new Mark(
                System.nanoTime(), PROCESS.getProcessCpuTime(), COMPILER.getTotalCompilationTime(), records(stats));
    }

    /** Progress up to a point in time, including the CPU of the null broker, which is compiled as well. */
    private record Mark(long atNanos, long cpuNanos, long compiledMillis, long records) {
        double rate(Mark before) {
            return (records - before.records) * 1e9 / (atNanos - before.atNanos);
        }

        double cpuNanosPerRecord(Mark before) {
            return (double) (cpuNanos - before.cpuNanos) / (records - before.records);
        }

        /** Compiler threads' share of the time. */
        double compilingShare(Mark before) {
            return (compiledMillis - before.compiledMillis) * 1e6 / (atNanos - before.atNanos);
        }
    }

    /**
     * Detects steady throughput and CPU per record from equal slices: the medians of the last {@value #WINDOW} slices
     * are within {@value #TOLERANCE} of the {@value #WINDOW} before, and the compiler was mostly idle. The compiler
     * works from a queue, so the load can be even long before it finishes.
     */
    static final class Rest {
        private static final int WINDOW = 4;
        private static final double TOLERANCE = 0.1;
        /** Maximum compiler share in the steady state. */
        private static final double COMPILING = 0.15;

        private final List<double[]> slices = new ArrayList<>();

        void add(double recordsPerSecond, double cpuNanosPerRecord, double compilingShare) {
            slices.add(new double[] {recordsPerSecond, cpuNanosPerRecord, compilingShare});
        }

        boolean reached() {
            return slices.size() >= 2 * WINDOW && even(0) && even(1) && compiled();
        }

        private boolean compiled() {
            double sum = 0;
            for (double[] slice : slices.subList(slices.size() - 2 * WINDOW, slices.size())) {
                sum += slice[2];
            }
            return sum <= COMPILING * 2 * WINDOW;
        }

        private boolean even(int figure) {
            int end = slices.size();
            double before = median(figure, end - 2 * WINDOW);
            return Math.abs(median(figure, end - WINDOW) - before) <= TOLERANCE * before;
        }

        private double median(int figure, int from) {
            return Spread.median(slices.subList(from, from + WINDOW).stream()
                    .mapToDouble(slice -> slice[figure])
                    .toArray());
        }
    }
}
