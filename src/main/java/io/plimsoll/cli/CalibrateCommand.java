package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.report.CalibrationText;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.Json;
import io.plimsoll.result.Units;
import io.plimsoll.run.HostLimits;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.calibrate.Calibrator;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plimsoll calibrate}: measures the limits of the load generator on this host. */
@Command(name = "calibrate")
final class CalibrateCommand extends PlimsollCommand {
    private static final String ALL_ENGINES = "both";

    static final class EngineNames extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        EngineNames() {
            super(Calibrator.engines());
            add(ALL_ENGINES);
        }
    }

    enum Sides {
        PRODUCE(Calibration.PRODUCE),
        CONSUME(Calibration.CONSUME),
        BOTH(Calibration.PRODUCE, Calibration.CONSUME);

        private final List<String> sides;

        Sides(String... sides) {
            this.sides = List.of(sides);
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(names = "--engine", paramLabel = "ENGINE", defaultValue = "both", completionCandidates = EngineNames.class)
    private String engine;

    @Option(names = "--side", paramLabel = "SIDE", defaultValue = "both")
    private Sides side;

    @Option(names = "--record", paramLabel = "BYTES", split = ",", defaultValue = "100,1000")
    private List<Integer> recordBytes;

    @Option(names = "--batch", paramLabel = "BYTES", defaultValue = "" + HostLimits.DEFAULT_BATCH_BYTES)
    private int batchBytes;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "5")
    private int seconds;

    @Option(names = "--json")
    private boolean json;

    private List<String> engines() {
        if (engine.equals(ALL_ENGINES)) {
            return Calibrator.engines();
        }
        List<String> names = new EngineNames();
        Exit.USAGE.when(!names.contains(engine), "cli.noSuchEngine", names, engine);
        return List.of(engine);
    }

    @Override
    Exit perform() {
        Calibrator.Request request = new Calibrator.Request(engines(), side.sides, recordBytes, batchBytes, seconds);
        HostInventory host = HostInventory.read(Path.of("."));
        CalibrationCache cache = HostLimits.cache(host, ToolInfo.version());
        List<Calibrator.Calibrated> all =
                Calibrator.run(request, next -> progress(Sentence.of("cli.calibrating", next)));
        List<Calibration> measured =
                all.stream().map(Calibrator.Calibrated::calibration).toList();
        all.stream()
                .filter(Calibrator.Calibrated::disturbed)
                .mapToDouble(Calibrator.Calibrated::othersShare)
                .max()
                .ifPresent(share ->
                        progress(Sentence.of("cli.ofTool", Sentence.of("cli.disturbed", Units.percent(share)))));
        boolean kept = cache.add(measured, this::say);
        if (json) {
            out().print(Json.pretty(Calibrations.of(cache.host(), measured)));
        } else {
            out().println(CalibrationText.render(measured, look()));
            print(kept ? Sentence.of("cli.kept", cache.file()) : Sentence.of("cli.notKept"));
        }
        return Exit.PASSED;
    }

    private void progress(Sentence sentence) {
        if (!json) {
            tell(sentence);
        }
    }
}
