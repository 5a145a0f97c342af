package io.plimsoll.cli;

import io.plimsoll.lab.LabSecurity;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.Quantities;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** Options shared by all commands that run a plan. */
final class RunOptions {
    private RunOptions() {}

    /** Destination and display of results. */
    static final class Results {
        @Option(names = "--out", paramLabel = "DIR", defaultValue = "runs")
        Path out;

        @Option(names = "--seed", paramLabel = "N", defaultValue = "1")
        long seed;

        @Option(names = "--quiet")
        boolean quiet;

        @Option(names = "--json")
        boolean json;

        boolean silent() {
            return quiet || json;
        }
    }

    /** The lab of a run without a named cluster. */
    static final class OwnLab {
        @Option(names = "--brokers", paramLabel = "N")
        Integer brokers;

        @Option(names = "--broker-config", paramLabel = "NAME=VALUE")
        Map<String, String> brokerConfig = new LinkedHashMap<>();

        @Option(names = "--security", paramLabel = "PROTOCOL[,...]")
        String security;

        boolean asked() {
            return brokers != null || !brokerConfig.isEmpty() || security != null;
        }

        void addTo(RunRequest.Draft draft) {
            draft.brokers = brokers == null ? OptionalInt.empty() : OptionalInt.of(brokers);
            draft.brokerConfig = brokerConfig;
            draft.security = Optional.ofNullable(security).map(LabSecurity::parse);
        }
    }

    /**
     * Warm-up of the load generator's own code before the first trial. The launcher script sets the property; processes
     * without the script, such as tests, skip the warm-up by default.
     */
    static final class SelfWarmup {
        static final String NAME = "--self-warmup";

        @Option(names = NAME, paramLabel = "TIME", defaultValue = "${sys:plimsoll.selfWarmup:-0s}")
        String longest;

        void addTo(RunRequest.Draft draft, PlimsollCommand command) {
            draft.selfWarmup = command.read(NAME, longest, Quantities::durationOrZero);
        }
    }

    /** Limits of the load on a shared cluster. */
    static final class Guards {
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

        /** @param maxRate value of {@code --max-rate}; null if absent */
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
                    Optional.ofNullable(rampUp)
                            .map(text -> command.read("--ramp-up", text, Quantities::durationOrZero)),
                    guards.stream()
                            .map(text -> command.read("--guard", text, CheckParser::guard))
                            .toList());
        }
    }
}
