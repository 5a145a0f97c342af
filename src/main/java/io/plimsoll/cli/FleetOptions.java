package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.run.fleet.FleetSupport;
import io.plimsoll.run.fleet.FleetSupport.Agents;
import io.plimsoll.run.fleet.FleetSupport.Credentials;
import io.plimsoll.run.fleet.FleetSupport.Wanted;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of a run on a fleet. */
public class FleetOptions {
    private static final String TIMEOUT = "--fleet-timeout";

    @Spec(Spec.Target.MIXEE)
    CommandSpec command;

    @Option(names = "--fleet", paramLabel = "HOST:PORT[,...]")
    String fleet;

    @Option(names = TIMEOUT, paramLabel = "TIME", defaultValue = "30s")
    String patience;

    @Mixin
    Certs certs = new Certs();

    @Option(names = "--producers-on", paramLabel = "NAME=VALUE", split = ",")
    Map<String, String> producersOn = new LinkedHashMap<>();

    @Option(names = "--consumers-on", paramLabel = "NAME=VALUE", split = ",")
    Map<String, String> consumersOn = new LinkedHashMap<>();

    @Option(names = "--on-agent-loss", paramLabel = "abort|continue")
    String onLoss;

    /** Number of agents to wait for; 0 to use only the named agents. */
    int awaited() {
        return 0;
    }

    static final class Counted extends FleetOptions {
        @Option(names = "--workers", paramLabel = "N")
        int workers;

        @Override
        int awaited() {
            return counted(workers);
        }
    }

    /** A number of agents to wait for. Fails with {@link Exit#USAGE} if it is negative. */
    public static int counted(int workers) {
        Exit.USAGE.when(workers < 0, "cli.expected", "--workers", Sentence.of("cli.a.atLeast", 0), workers);
        return workers;
    }

    public boolean named() {
        boolean placed = !producersOn.isEmpty() || !consumersOn.isEmpty();
        boolean waits = command.commandLine().getParseResult().hasMatchedOption(TIMEOUT);
        boolean any = awaited() != 0 || certs.any() || onLoss != null || placed || waits;
        Exit.USAGE.when(fleet == null && any, "cli.onlyInFleet");
        return fleet != null;
    }

    /** A number without a unit is in seconds, for compatibility. */
    public static Duration patience(String text) {
        try {
            return text.matches("\\d{1,9}")
                    ? Duration.ofSeconds(Long.parseLong(text))
                    : Quantities.durationOrZero(text);
        } catch (InvalidValueException e) {
            throw new PlimsollException(Exit.USAGE, Sentence.of("text.at", TIMEOUT, e.sentence()));
        }
    }

    Agents find(String run) {
        Exit.USAGE.when(
                onLoss != null && !onLoss.equals("abort") && !onLoss.equals("continue"), "cli.onAgentLoss", onLoss);
        return FleetSupport.get()
                .find(new Wanted(
                        NodeAddress.parseAll(fleet, "--fleet"),
                        awaited(),
                        patience(patience),
                        certs.given(),
                        new FleetRules(
                                producersOn,
                                consumersOn,
                                onLoss == null ? null : Boolean.valueOf(onLoss.equals("continue"))),
                        run,
                        ToolInfo.build()));
    }

    /** Runs on the fleet if the options name one, otherwise in this process. */
    public <R> R run(RunRequest request, PlimsollCommand command, Function<RunRequest, R> run) {
        if (!named()) {
            return run.apply(request);
        }
        try (Agents found = find(request.plan().name())) {
            found.check(request);
            found.warnings().forEach(command::say);
            found.claim();
            return run.apply(request.with(draft -> draft.workers = found));
        }
    }

    /** Authentication within a fleet: by certificates or, on a single machine, by a token. */
    public static final class Certs {
        @Option(names = "--certs", paramLabel = "DIR")
        Path directory;

        @Option(names = "--token", paramLabel = "FILE")
        Path token;

        public boolean any() {
            return directory != null || token != null;
        }

        public Credentials given() {
            return new Credentials(directory, token);
        }
    }
}
