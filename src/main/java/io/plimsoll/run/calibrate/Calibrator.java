package io.plimsoll.run.calibrate;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.load.LoadKind;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.Units;
import io.plimsoll.run.HostLimits;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Measures the maximum throughput of the engines on this host. */
public final class Calibrator {
    private static final int SECONDS_OF_RUN = 3;

    private Calibrator() {}

    /**
     * The requested measurements: each engine, side, and record size.
     *
     * @param sides {@link Calibration#PRODUCE}, {@link Calibration#CONSUME}
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
                require("run.size.record", size, 16, 1_000_000);
            }
            require("run.size.batch", batchBytes, 1 << 10, 1 << 24);
            require("run.size.seconds", seconds, 1, 60);
        }

        private static void require(String what, int found, int least, int most) {
            Exit.USAGE.when(found < least || found > most, "run.outOfRange", Sentence.of(what), least, most, found);
        }
    }

    /**
     * A calibration and its disturbance.
     *
     * @param othersShare fraction of all cores used by other programs; 0 if unknown
     */
    public record Calibrated(Calibration calibration, double othersShare) {
        private static final double TOO_MUCH = 0.15;

        /** Whether other programs lowered the result. */
        public boolean disturbed() {
            return othersShare > TOO_MUCH;
        }
    }

    /**
     * Runs the measurements in sequence, each for the requested time plus about three seconds.
     *
     * @param begins receives a description of each measurement before it starts
     * @return all results
     * @throws PlimsollException {@link Exit#INTERNAL} if no record came through
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
     * Calibrates the producers of a run that have no limit yet. Stops when other programs disturb it: an unknown limit
     * is better than a wrong one, which would blame the load generator.
     *
     * @param begins receives a description of each measurement before it starts
     * @param notes receives why a limit stays unknown or is not stored
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
            // Sizes between two calibrated ones are interpolated.
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

    /**
     * One measurement: one client at full speed.
     *
     * @param side {@link Calibration#PRODUCE} or {@link Calibration#CONSUME}
     * @param recordBytes value size
     * @param batchBytes {@code batch.size}; also the size of fetched batches
     */
    record CalibrationLoad(String engine, String side, int recordBytes, int batchBytes) {
        static final String TOPIC = "calibration";
        static final int PARTITIONS = 6;
        /** Size of a batch header, and maximum overhead of a record beyond its value. */
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

        /** An ordinary scenario, so that calibration exercises the code of a run. */
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
}
