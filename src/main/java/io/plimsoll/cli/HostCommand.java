package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.observe.host.HostMeasurements;
import io.plimsoll.observe.host.HostText;
import io.plimsoll.observe.host.Measurement;
import io.plimsoll.result.Json;
import io.plimsoll.run.HostLimits;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.scenario.Quantities;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plimsoll host}: inventory and limits of this host. */
@Command(name = "host")
final class HostCommand extends PlimsollCommand {
    private static final double MAX_SECONDS = 60;

    @Option(names = "--measure", negatable = true, defaultValue = "true", fallbackValue = "true")
    private boolean measure;

    @Option(names = "--dir", paramLabel = "DIR", defaultValue = ".")
    private Path directory;

    @Option(names = "--size", paramLabel = "SIZE")
    private String fileSize;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "2")
    private double seconds;

    @Option(names = "--json")
    private boolean json;

    @Override
    Exit perform() {
        require(seconds > 0 && seconds <= MAX_SECONDS, "cli.secondsOutOfRange", (int) MAX_SECONDS);
        if (measure) {
            HostMeasurements.check(settings());
        }
        HostInventory inventory = HostInventory.read(directory);
        if (json) {
            List<Measurement> measurements = measure ? HostMeasurements.run(settings(), m -> {}) : List.of();
            keep(inventory, measurements);
            out().print(json(inventory, measurements));
        } else {
            HostText.inventory(inventory, language()).forEach(out()::println);
            out().flush();
            if (measure) {
                keep(inventory, printMeasurements());
            }
        }
        return Exit.PASSED;
    }

    private HostMeasurements.Settings settings() {
        OptionalLong bytes =
                fileSize == null ? OptionalLong.empty() : OptionalLong.of(read("--size", fileSize, Quantities::bytes));
        return new HostMeasurements.Settings(directory, bytes, Duration.ofNanos((long) (seconds * 1e9)));
    }

    /** Stores the results for later runs on this host, which compare their load with them. */
    private void keep(HostInventory inventory, List<Measurement> measured) {
        if (measured.isEmpty()) {
            return;
        }
        HostLimits.cache(inventory, ToolInfo.version())
                .add(HostLimits.rates(Optional.of(directory), measured), this::say);
    }

    private List<Measurement> printMeasurements() {
        PrintWriter out = out();
        out.println();
        print("cli.measured");
        return HostMeasurements.run(settings(), measurement -> {
            out.println(HostText.measurement(measurement, language()));
            out.flush();
        });
    }

    private static String json(HostInventory inventory, List<Measurement> measurements) {
        List<Map<String, Object>> told =
                measurements.stream().map(Measurement::toMap).toList();
        return Json.pretty(new HostReport("plimsoll.host/1", inventory.toMap(), told));
    }

    private record HostReport(String schema, Map<String, Object> host, List<Map<String, Object>> measurements) {}
}
