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

/** Options of every command that runs a plan. */
final class RunOptions {
    private RunOptions() {}

    /** Where its results go, and what is shown of them. */
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

    /** The lab that is started where no cluster is named. */
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
     * How long the load generator may let its own code run before the first trial. The script that starts the program sets
     * the property; a process that is started otherwise, such as a test, does not pay for it unless it asks.
     */
    static final class SelfWarmup {
        static final String NAME = "--self-warmup";

        @Option(names = NAME, paramLabel = "TIME", defaultValue = "${sys:plimsoll.selfWarmup:-0s}")
        String longest;

        void addTo(RunRequest.Draft draft, PlimsollCommand command) {
            draft.selfWarmup = command.read(NAME, longest, Quantities::durationOrZero);
        }
    }

    /** How far a load may go on a cluster that others live on. */
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
                    Optional.ofNullable(rampUp)
                            .map(text -> command.read("--ramp-up", text, Quantities::durationOrZero)),
                    guards.stream()
                            .map(text -> command.read("--guard", text, CheckParser::guard))
                            .toList());
        }
    }
}
