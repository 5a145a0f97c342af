package io.plimsoll.run.calibrate;

import com.sun.management.OperatingSystemMXBean;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBroker.NullBrokerStats;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.Units;
import io.plimsoll.run.HostLimits;
import io.plimsoll.run.LocalWorker;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.run.Worker;
import io.plimsoll.run.calibrate.Calibrator.CalibrationLoad;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.admin.Admin;

/** Measures the maximum throughput of the engines on this host. */
public final class Calibrator {
    private static final int SECONDS_OF_RUN = 3;

    /**
     * The requested measurements: one for each combination of engine, side, and record size.
     *
     * @param sides {@link Calibration#PRODUCE} and {@link Calibration#CONSUME}, or one of them
     * @param recordBytes value sizes, 16 to 1,000,000
     * @param batchBytes {@code batch.size}, 1,024 to 16,777,216
     * @param seconds length of each measurement, 1 to 60, plus warm-up
     */
    public record Request(
            List<String> engines, List<String> sides, List<Integer> recordBytes, int batchBytes, int seconds) {
        public Request {
            engines = List.copyOf(engines);
            sides = List.copyOf(sides);
            recordBytes = List.copyOf(recordBytes);
            for (int size : recordBytes) {
                require("run.size.record", size, HostLimits.LEAST_RECORD_BYTES, HostLimits.MOST_RECORD_BYTES);
            }
            require("run.size.batch", batchBytes, HostLimits.LEAST_BATCH_BYTES, HostLimits.MOST_BATCH_BYTES);
            require("run.size.seconds", seconds, 1, 60);
        }

        private static void require(String what, int found, int least, int most) {
            Exit.USAGE.when(found < least || found > most, "run.outOfRange", Sentence.of(what), least, most, found);
        }
    }

    /** A calibration and the fraction of all cores that other programs used; 0 if unknown. */
    public record Calibrated(Calibration calibration, double othersShare) {
        private static final double TOO_MUCH = 0.15;

        /** Whether other programs used enough CPU to lower the result. */
        public boolean disturbed() {
            return othersShare > TOO_MUCH;
        }
    }

    /**
     * Runs the measurements in sequence, each for the requested time plus about three seconds.
     *
     * @param begins receives a description of each measurement before it starts
     * @throws PlimsollException {@link Exit#INTERNAL} if no record was transmitted
     */
    public static List<Calibrated> run(Request request, Consumer<String> begins) {
        List<Calibrated> all = new ArrayList<>();
        for (CalibrationLoad load : loads(request)) {
            begins.accept(load.engine() + " " + load.side() + ", records of " + load.recordBytes() + " B");
            all.add(LoadMeasurement.run(load, request.seconds()));
        }
        return List.copyOf(all);
    }

    /**
     * Calibrates the producers of a run that have no limit yet. Stops if other programs disturb the measurement: an
     * unknown limit is better than a wrong one, which would falsely blame the load generator.
     *
     * @param begins receives a description of each measurement before it starts
     * @param notes receives the reason why a limit stays unknown or is not stored
     */
    public static void calibrate(RunRequest run, Consumer<String> begins, Consumer<Sentence> notes) {
        CalibrationCache cache = HostLimits.cache(HostInventory.read(Path.of(".")), ToolInfo.version());
        Calibrations known = cache.read(note -> {});
        List<HostLimits.Uncalibrated> wanted = HostLimits.uncalibrated(known, run);
        while (!wanted.isEmpty()) {
            HostLimits.Uncalibrated next = wanted.get(0);
            Request request = new Request(
                    List.of(next.engine()),
                    List.of(Calibration.PRODUCE),
                    List.of(next.recordBytes()),
                    next.batchBytes(),
                    SECONDS_OF_RUN);
            Calibrated measured = run(request, begins).get(0);
            if (measured.disturbed()) {
                notes.accept(Sentence.of("cli.disturbedLimit", Units.percent(measured.othersShare())));
                return;
            }
            cache.add(List.of(measured.calibration()), notes);
            known = known.with(List.of(measured.calibration()));
            // Sizes between two calibrated sizes are interpolated.
            wanted = HostLimits.uncalibrated(known, run);
        }
    }

    /** Names of the engines that can be calibrated. */
    public static List<String> engines() {
        return LoadKind.all().stream()
                .filter(LoadKind::calibrated)
                .map(LoadKind::name)
                .toList();
    }

    private static List<CalibrationLoad> loads(Request request) {
        List<CalibrationLoad> loads = new ArrayList<>();
        for (String engine : request.engines()) {
            for (String side : request.sides()) {
                for (int size : request.recordBytes()) {
                    loads.add(new CalibrationLoad(engine, side, size, request.batchBytes()));
                }
            }
        }
        return loads;
    }

    /** The load of one client at full speed. */
    record CalibrationLoad(String engine, String side, int recordBytes, int batchBytes) {
        static final String TOPIC = "calibration";
        static final int PARTITIONS = 6;
        /** Size in bytes of a batch header. */
        private static final int BATCH_HEADER_BYTES = 61;

        private static final int RECORD_OVERHEAD_BYTES = 9;
        private static final int MOST_RECORDS_OF_A_BATCH = 100_000;

        boolean produces() {
            return side.equals(Calibration.PRODUCE);
        }

        int recordsPerBatch() {
            int fitting = (batchBytes - BATCH_HEADER_BYTES) / (recordBytes + RECORD_OVERHEAD_BYTES);
            return Math.max(1, Math.min(MOST_RECORDS_OF_A_BATCH, fitting));
        }

        /** A regular scenario, so that calibration uses the same code as a run. */
        Scenario scenario(int warmupSeconds, int seconds) {
            String load = produces()
                    ? "producers: [{topic: %s, engine: %s, rate: unlimited, record: {size: %d}, config: {batch.size: %d, max.request.size: %d}}]"
                            .formatted(TOPIC, engine, recordBytes, batchBytes, Math.max(1 << 20, 2 * batchBytes))
                    : "consumers: [{topic: %s, engine: %s, start: earliest, commit: none}]".formatted(TOPIC, engine);
            String yaml = """
                name: calibration
                topics: [{name: %s, existing: true}]
                %s
                warmup: %ds
                duration: %ds
                audit: false
                """.formatted(TOPIC, load, warmupSeconds, seconds);
            return ScenarioReader.read(yaml, TOPIC, List.of(), 1)
                    .trials()
                    .get(0)
                    .scenario();
        }
    }

    /**
     * Measures one load on a separate in-process null broker. Records and CPU are counted between the first and last
     * whole second after the warm-up.
     */
    static final class LoadMeasurement implements Worker.Listener {
        private static final int WARMUP_SECONDS = 2;
        /** Additional seconds, because counting starts at the first snapshot, and the last snapshot can arrive late. */
        private static final int MARGIN_SECONDS = 2;
        /** Number of records in the log, far more than can be read in a minute. */
        private static final long LOG_RECORDS = 1L << 50;

        private static final long SEED = 1;
        private static final long RUN_ID = 0x706c696d736f6c6cL;

        private final CalibrationLoad load;
        private final NullBroker broker;
        private final int wantedSeconds;

        @SuppressWarnings("NullAway.Init") // Set in the first measured second; drive() fails if none.
        private CpuMark first;

        @SuppressWarnings("NullAway.Init")
        private CpuMark last;

        private double othersShare;
        private long records;
        private int measuredSeconds;

        private LoadMeasurement(CalibrationLoad load, NullBroker broker, int seconds) {
            this.wantedSeconds = seconds;
            this.load = load;
            this.broker = broker;
        }

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

        private Calibration.Breakdown breakdown(HostCosts costs, double cpuMicros) {
            double bytes = (double) (last.wireBytes() - first.wireBytes())
                    / Math.max(1, last.wireRecords() - first.wireRecords());
            double kernel = Math.min(cpuMicros, last.kernelNanosSince(first) / 1e3 / records);
            double copy = Math.min(kernel, costs.copyNanosPerByte() * bytes / 1e3);
            double crc = Math.min(cpuMicros - kernel, costs.crcNanosPerByte() * bytes / 1e3);
            return new Calibration.Breakdown(kernel - copy, copy, crc, cpuMicros - kernel - crc);
        }

        /**
         * CPU time of the process and its null broker; {@code wire} counts the batches that the null broker received or
         * served.
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
                        nanos.put(
                                thread.getThreadId(),
                                Math.max(0, all - THREADS.getThreadUserTime(thread.getThreadId())));
                    }
                }
                return nanos;
            }

            /** Time in the kernel since a mark, summed over threads that still exist; the time of ended threads is unknown. */
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
         * CPU time per byte of two unavoidable operations, checksum and copy to the kernel, on the working set of an
         * engine.
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
}
