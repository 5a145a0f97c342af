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
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plimsoll host}: shows the inventory and limits of this host, and calibrates the load generator. */
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
        if (!json) {
            HostText.inventory(inventory, language()).forEach(this::printLine);
            out().print(measure ? "\n" + Sentence.of("cli.measured").in(language()) + "\n" : "");
            out().flush();
        }
        List<Measurement> measured = measure ? HostMeasurements.run(settings(), this::show) : List.of();
        if (!measured.isEmpty()) {
            // Later runs on this host compare their load with these limits.
            HostLimits.cache(inventory, ToolInfo.version())
                    .add(HostLimits.rates(Optional.of(directory), measured), this::say);
        }
        if (json) {
            List<Map<String, Object>> measurements =
                    measured.stream().map(Measurement::toMap).toList();
            out().print(Json.pretty(
                    Json.object("schema", "plimsoll.host/1", "host", inventory.toMap(), "measurements", measurements)));
        }
        return Exit.PASSED;
    }

    private void show(Measurement measurement) {
        if (!json) {
            printLine(HostText.measurement(measurement, language()));
            out().flush();
        }
    }

    private HostMeasurements.Settings settings() {
        OptionalLong bytes =
                fileSize == null ? OptionalLong.empty() : OptionalLong.of(read("--size", fileSize, Quantities::bytes));
        return new HostMeasurements.Settings(directory, bytes, Duration.ofNanos((long) (seconds * 1e9)));
    }
}
