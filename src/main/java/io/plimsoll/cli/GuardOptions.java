package io.plimsoll.cli;

import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.Quantities;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How far a load may go on a cluster that others live on. */
final class GuardOptions {
    @Option(names = "--max-bytes", paramLabel = "SIZE")
    String maxBytes;

    @Option(names = "--disk-reserve", paramLabel = "SHARE")
    String diskReserve;

    @Option(names = "--guard", paramLabel = "CHECK")
    List<String> guards = new ArrayList<>();

    @Option(names = "--ramp-up", paramLabel = "TIME")
    String rampUp;

    @Option(names = "--yes")
    boolean yes;

    /** @param maxRate of {@code --max-rate}; null where it is not given */
    LoadLimits limits(PlimsollCommand command, String maxRate) {
        LoadLimits usual = LoadLimits.DEFAULT;
        double reserve = diskReserve == null
                ? usual.diskReserve()
                : command.read("--disk-reserve", diskReserve, Quantities::ratio);
        command.expect(reserve < 1, "--disk-reserve", diskReserve, "cli.a.range", "0%", "99%");
        return new LoadLimits(
                reserve,
                maxRate == null ? usual.maxRate() : command.read("--max-rate", maxRate, Quantities::rate),
                maxBytes == null ? usual.maxBytes() : command.read("--max-bytes", maxBytes, Quantities::bytes),
                Asking.consent(command, yes),
                usual.lookEvery(),
                Optional.ofNullable(rampUp).map(text -> command.read("--ramp-up", text, Quantities::durationOrZero)),
                guards.stream()
                        .map(text -> command.read("--guard", text, CheckParser::guard))
                        .toList());
    }
}
