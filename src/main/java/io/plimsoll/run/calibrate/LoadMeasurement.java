package io.plimsoll.run.calibrate;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.result.Calibration;
import io.plimsoll.run.LocalWorker;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.run.Worker;
import io.plimsoll.scenario.Scenario;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * One load on a null broker of its own, both in this process. Records and CPU are counted between the first and the last
 * whole second after the warm-up, in which nothing begins or ends.
 */
final class LoadMeasurement implements Worker.Listener {
    private static final int WARMUP_SECONDS = 2;
    /** The first second begins at the first snapshot; the last snapshot may come too late to be one of measuring. */
    private static final int MARGIN_SECONDS = 2;
    /** Far more than anything reads in a minute. */
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

    /** @throws PlimsollException {@link Exit#INTERNAL} if nothing came through */
    static Calibrator.Calibrated run(CalibrationLoad load, int seconds) {
        NullBrokerOptions options = NullBrokerOptions.builder()
                .topic(CalibrationLoad.TOPIC, CalibrationLoad.PARTITIONS)
                .log(load.produces() ? 0 : LOG_RECORDS, load.recordBytes(), load.recordsPerBatch(), "none")
                .build();
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
        if (records == 0) {
            throw Exit.INTERNAL.because(
                    "run.noRecordCame",
                    load.engine(),
                    load.side(),
                    load.recordBytes(),
                    notes.isEmpty() ? "" : " (" + notes.get(0) + ")");
        }
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
                ? snapshot.measured().produce().volume().acknowledged()
                : snapshot.measured().consume().records();
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

    /** Kernel time is measured; of it, and of the rest, what copying and checksums take on this host. */
    private Calibration.Breakdown breakdown(HostCosts costs, double cpuMicros) {
        double bytes =
                (double) (last.wireBytes() - first.wireBytes()) / Math.max(1, last.wireRecords() - first.wireRecords());
        double kernel = Math.min(cpuMicros, last.kernelNanosSince(first) / 1e3 / records);
        double copy = Math.min(kernel, costs.copyNanosPerByte() * bytes / 1e3);
        double crc = Math.min(cpuMicros - kernel, costs.crcNanosPerByte() * bytes / 1e3);
        return new Calibration.Breakdown(kernel - copy, copy, crc, cpuMicros - kernel - crc);
    }
}
