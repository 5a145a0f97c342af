package io.plimsoll.run.calibrate;

import com.sun.management.OperatingSystemMXBean;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBroker.NullBrokerStats;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.result.Calibration;
import io.plimsoll.run.LocalWorker;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.run.Worker;
import io.plimsoll.run.calibrate.Calibrator.CalibrationLoad;
import io.plimsoll.scenario.Scenario;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.admin.Admin;

/**
 * One load on its own in-process null broker. Records and CPU are counted between the first and last whole second after
 * the warm-up.
 */
final class LoadMeasurement implements Worker.Listener {
    private static final int WARMUP_SECONDS = 2;
    /** The first second starts at the first snapshot; the last snapshot can arrive late. */
    private static final int MARGIN_SECONDS = 2;
    /** Far more than can be read in a minute. */
    private static final long LOG_RECORDS = 1L << 50;

    private static final long SEED = 1;
    private static final long RUN_ID = 0x706c696d736f6c6cL;

    private final CalibrationLoad load;
    private final NullBroker broker;
    private final int wantedSeconds;
    private CpuMark first;
    private CpuMark last;
    private double othersShare;
    private long records;
    private int measuredSeconds;

    private LoadMeasurement(CalibrationLoad load, NullBroker broker, int seconds) {
        this.wantedSeconds = seconds;
        this.load = load;
        this.broker = broker;
    }

    /** @throws PlimsollException {@link Exit#INTERNAL} if no record came through */
    static Calibrator.Calibrated run(CalibrationLoad load, int seconds) {
        NullBrokerOptions options = new NullBrokerOptions()
                .topic(CalibrationLoad.TOPIC, CalibrationLoad.PARTITIONS)
                .log(load.produces() ? 0 : LOG_RECORDS, load.recordBytes(), load.recordsPerBatch(), "none");
        try (NullBroker broker = NullBroker.start(options)) {
            LoadMeasurement measurement = new LoadMeasurement(load, broker, seconds);
            measurement.drive(load.scenario(WARMUP_SECONDS, seconds + MARGIN_SECONDS));
            return new Calibrator.Calibrated(
                    measurement.calibration(HostCosts.measure(load.batchBytes())), measurement.othersShare);
        }
    }

    private void drive(Scenario scenario) {
        ClusterConnection connection = new ClusterConnection(broker.bootstrapServers(), Map.of());
        List<String> notes = new ArrayList<>();
        try (Admin admin = connection.admin()) {
            LocalWorker worker = new LocalWorker("local", new Topics(admin));
            LoadContext context = new LoadContext(
                    connection.clientProperties(), "plimsoll-calibrate", RUN_ID, SEED, n -> notes.add(n.english()));
            worker.prepare(new TrialAssignment("calibration", scenario, context, EndToEndSource.NONE));
            worker.run(this);
        }
        Exit.INTERNAL.when(
                records == 0,
                "run.noRecordCame",
                load.engine(),
                load.side(),
                load.recordBytes(),
                notes.isEmpty() ? "" : " (" + notes.get(0) + ")");
    }

    @Override
    public void snapshot(Snapshot snapshot) {
        if (snapshot.phase() != Phase.MEASURE || measuredSeconds == wantedSeconds) {
            return;
        }
        double others = CpuMark.othersShare();
        last = CpuMark.now(broker);
        if (first == null) {
            first = last;
            return;
        }
        othersShare += (others - othersShare) / ++measuredSeconds;
        records += load.produces()
                ? snapshot.measured().get(Produced.ACKNOWLEDGED)
                : snapshot.measured().get(Consumed.RECORDS);
    }

    private Calibration calibration(HostCosts costs) {
        double nanos = last.atNanos() - first.atNanos();
        double cpuMicros = (last.generatorNanos() - first.generatorNanos()) / 1e3 / records;
        double recordsPerSecond = records / (nanos / 1e9);
        double perCore = 1e6 / cpuMicros;
        Calibration.Breakdown parts = breakdown(costs, cpuMicros);
        return new Calibration(
                new Calibration.Subject(load.engine(), load.side(), load.recordBytes(), load.batchBytes()),
                new Calibration.Rates(
                        recordsPerSecond,
                        recordsPerSecond * load.recordBytes(),
                        perCore,
                        perCore * Runtime.getRuntime().availableProcessors()),
                new Calibration.Cost(
                        cpuMicros,
                        parts.bound(),
                        (last.generatorNanos() - first.generatorNanos()) / nanos,
                        (last.brokerNanos() - first.brokerNanos()) / 1e3 / records),
                parts,
                Instant.now());
    }

    /** Splits CPU time into kernel time and the cost of copying and checksums on this host. */
    private Calibration.Breakdown breakdown(HostCosts costs, double cpuMicros) {
        double bytes =
                (double) (last.wireBytes() - first.wireBytes()) / Math.max(1, last.wireRecords() - first.wireRecords());
        double kernel = Math.min(cpuMicros, last.kernelNanosSince(first) / 1e3 / records);
        double copy = Math.min(kernel, costs.copyNanosPerByte() * bytes / 1e3);
        double crc = Math.min(cpuMicros - kernel, costs.crcNanosPerByte() * bytes / 1e3);
        return new Calibration.Breakdown(kernel - copy, copy, crc, cpuMicros - kernel - crc);
    }

    /**
     * CPU time of the process and its null broker at one point in time. Immutable.
     *
     * @param generatorNanos CPU time of the process without the null broker's threads
     * @param kernelNanos kernel CPU time by thread, without the null broker's threads
     * @param wireBytes bytes of record batches taken or served by the null broker
     * @param wireRecords records in these batches
     */
    private record CpuMark(
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

        /** Fraction of all cores used by other processes since the last call; 0 if unknown. */
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

        /** Sum over threads still alive; ended threads are unknown. */
        long kernelNanosSince(CpuMark before) {
            long sum = 0;
            for (Map.Entry<Long, Long> thread : kernelNanos.entrySet()) {
                // The two clocks differ by a few ticks.
                sum += Math.max(0, thread.getValue() - before.kernelNanos.getOrDefault(thread.getKey(), 0L));
            }
            return sum;
        }
    }

    /**
     * Costs of the two unavoidable operations per byte on this host: checksum and copy to the kernel. Measured over the
     * working set of an engine with this batch size.
     *
     * @param crcNanosPerByte CPU time
     * @param copyNanosPerByte CPU time of a copy from this working set to a socket-sized buffer
     */
    private record HostCosts(double crcNanosPerByte, double copyNanosPerByte) {
        private static final long BUDGET_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
        private static final int BATCHES = 64;
        private static final int MOST_BYTES = 64 << 20;
        private static final int SOCKET_BYTES = 256 << 10;

        static HostCosts measure(int batchBytes) {
            int blocks = Math.max(1, Math.min(BATCHES, MOST_BYTES / batchBytes));
            ByteBuffer from = ByteBuffer.allocateDirect(blocks * batchBytes);
            ByteBuffer to = ByteBuffer.allocateDirect(Math.max(SOCKET_BYTES, batchBytes));
            for (int at = 0; at + Long.BYTES <= from.capacity(); at += Long.BYTES) {
                from.putLong(at, at * 0x9e3779b97f4a7c15L);
            }
            CRC32C crc = new CRC32C();
            double crcNanos = nanosPerByte(() -> {
                for (int block = 0; block < blocks; block++) {
                    crc.update(from.limit((block + 1) * batchBytes).position(block * batchBytes));
                }
                return (long) blocks * batchBytes;
            });
            double copyNanos = nanosPerByte(() -> {
                for (int block = 0; block < blocks; block++) {
                    if (to.remaining() < batchBytes) {
                        to.clear();
                    }
                    to.put(from.limit((block + 1) * batchBytes).position(block * batchBytes));
                }
                return (long) blocks * batchBytes;
            });
            return new HostCosts(crcNanos, copyNanos);
        }

        /** @param work returns the number of processed bytes */
        private static double nanosPerByte(LongSupplier work) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            repeat(work, BUDGET_NANOS / 2);
            long before = threads.getCurrentThreadCpuTime();
            long bytes = repeat(work, BUDGET_NANOS);
            return (double) (threads.getCurrentThreadCpuTime() - before) / bytes;
        }

        private static long repeat(LongSupplier work, long nanos) {
            long end = System.nanoTime() + nanos;
            long bytes = 0;
            do {
                bytes += work.getAsLong();
            } while (System.nanoTime() < end);
            return bytes;
        }
    }
}
