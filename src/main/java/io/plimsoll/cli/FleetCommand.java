package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.Json;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.calibrate.Calibrator;
import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.run.fleet.FleetSupport;
import io.plimsoll.run.fleet.FleetSupport.Agents;
import io.plimsoll.run.fleet.FleetSupport.Credentials;
import io.plimsoll.run.fleet.FleetSupport.PlanTarget;
import io.plimsoll.run.fleet.FleetSupport.Planned;
import io.plimsoll.run.fleet.FleetSupport.Wanted;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Rate.Unit;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "fleet",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            FleetCommand.Status.class,
            FleetCommand.Plan.class,
            FleetCommand.Certs.class,
            FleetCommand.Revoke.class
        })
public final class FleetCommand extends PlimsollCommand.Group {
    @Command(name = "status")
    static final class Status extends PlimsollCommand {
        @Option(names = "--fleet", paramLabel = "HOST:PORT[,...]", defaultValue = "127.0.0.1:7654")
        String fleet;

        @Mixin
        Asked asked = new Asked();

        @Override
        Exit perform() {
            try (Agents found = FleetSupport.get().find(asked.wanted(fleet, spec.name()))) {
                found.status().forEach(this::print);
                found.warnings().forEach(this::say);
            }
            return Exit.PASSED;
        }
    }

    @Command(name = "plan")
    static final class Plan extends PlimsollCommand {
        @Option(
                names = {"--rate", "--throughput"},
                paramLabel = "RATE",
                required = true)
        String rate;

        @Option(names = "--record-size", paramLabel = "SIZE", defaultValue = "1KB")
        String recordSize;

        @Option(names = "--engine", paramLabel = "ENGINE", defaultValue = Engine.DEFAULT)
        String engine;

        @Option(names = "--headroom", paramLabel = "SHARE", defaultValue = "30%")
        String headroom;

        @Option(names = "--json")
        boolean json;

        @Option(names = "--fleet", paramLabel = "HOST:PORT[,...]")
        String fleet;

        @Mixin
        Asked asked = new Asked();

        @Override
        Exit perform() {
            Quantity wanted = read("--rate", rate, Quantities::rate);
            int bytes = read("--record-size", recordSize, Quantities::size);
            expect(bytes > 0, "--record-size", recordSize, "scenario.a.count.least", 1);
            double free = read("--headroom", headroom, Quantities::ratio);
            expect(free <= 0.9, "--headroom", headroom, "cli.a.range", "0%", "90%");
            List<String> engines = Calibrator.engines();
            Exit.USAGE.when(!engines.contains(engine), "cli.noSuchEngine", engines, engine);
            require(fleet != null || (asked.workers == 0 && !asked.certs.any()), "cli.onlyInFleet");
            double records = wanted.unit() == Unit.RECORDS ? wanted.value() : wanted.value() / bytes;
            Planned plan = FleetSupport.get()
                    .plan(
                            new PlanTarget(records, bytes, engine, free),
                            fleet == null ? null : asked.wanted(fleet, spec.name()),
                            ToolInfo.version());
            if (json) {
                out().print(Json.pretty(plan.json()));
            } else {
                plan.lines().forEach(this::print);
            }
            return Exit.PASSED;
        }
    }

    /** Options of commands that ask a fleet without a run. */
    static final class Asked {
        @Option(names = "--workers", paramLabel = "N")
        int workers;

        @Option(names = "--fleet-timeout", paramLabel = "TIME", defaultValue = "10s")
        String patience;

        @Mixin
        FleetOptions.Certs certs = new FleetOptions.Certs();

        Wanted wanted(String fleet, String command) {
            return new Wanted(
                    NodeAddress.parseAll(fleet, "--fleet"),
                    workers,
                    FleetOptions.patience(patience),
                    certs.given(),
                    new FleetRules(Map.of(), Map.of(), false),
                    command,
                    ToolInfo.build());
        }
    }

    @Command(name = "certs")
    static final class Certs extends PlimsollCommand {
        @Parameters(index = "0", paramLabel = "DIR", descriptionKey = "argument.certs.directory")
        Path directory;

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "HOST", descriptionKey = "argument.certs.hosts")
        List<String> hosts;

        @Option(names = "--days", paramLabel = "N", defaultValue = "" + FleetSupport.CERTIFICATE_DAYS)
        int days;

        @Override
        Exit perform() {
            Exit.USAGE.when(days < 1, "cli.daysFromOne");
            FleetSupport fleet = FleetSupport.get();
            for (String host : hosts) {
                out().println(fleet.certify(directory, days, host));
                out().flush();
            }
            return Exit.PASSED;
        }
    }

    @Command(name = "revoke")
    static final class Revoke extends PlimsollCommand {
        @Parameters(index = "0", paramLabel = "DIR", descriptionKey = "argument.certs.made")
        Path directory;

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "HOST", descriptionKey = "argument.certs.revoked")
        List<String> hosts;

        @Override
        Exit perform() {
            out().println(FleetSupport.get().revoke(directory, hosts));
            say("cli.copyRevoked");
            return Exit.PASSED;
        }
    }

    /** Options of a run on a fleet. */
    public static class FleetOptions {
        @Option(names = "--fleet", paramLabel = "HOST:PORT[,...]")
        String fleet;

        @Option(names = "--fleet-timeout", paramLabel = "TIME", defaultValue = "30s")
        String patience;

        @Mixin
        Certs certs = new Certs();

        @Option(names = "--producers-on", paramLabel = "NAME=VALUE", split = ",")
        Map<String, String> producersOn = new LinkedHashMap<>();

        @Option(names = "--consumers-on", paramLabel = "NAME=VALUE", split = ",")
        Map<String, String> consumersOn = new LinkedHashMap<>();

        @Option(names = "--on-agent-loss", paramLabel = "abort|continue")
        String onLoss;

        /** Number of agents to wait for; 0 for the named ones. */
        int awaited() {
            return 0;
        }

        static final class Counted extends FleetOptions {
            @Option(names = "--workers", paramLabel = "N")
            int workers;

            @Override
            int awaited() {
                return workers;
            }
        }

        public boolean named() {
            boolean any =
                    awaited() != 0 || certs.any() || onLoss != null || !producersOn.isEmpty() || !consumersOn.isEmpty();
            Exit.USAGE.when(fleet == null && any, "cli.onlyInFleet");
            return fleet != null;
        }

        /** A number without a unit is in seconds, for compatibility. */
        static Duration patience(String text) {
            try {
                return text.matches("\\d{1,9}")
                        ? Duration.ofSeconds(Long.parseLong(text))
                        : Quantities.durationOrZero(text);
            } catch (InvalidValueException e) {
                throw new PlimsollException(Exit.USAGE, Sentence.of("text.at", "--fleet-timeout", e.sentence()));
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

        /** Runs on the fleet if one is named, otherwise in this process. */
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

        /** Authentication within a fleet: certificates, or on a single machine a token. */
        static final class Certs {
            @Option(names = "--certs", paramLabel = "DIR")
            Path directory;

            @Option(names = "--token", paramLabel = "FILE")
            Path token;

            boolean any() {
                return directory != null || token != null;
            }

            Credentials given() {
                return new Credentials(directory, token);
            }
        }
    }
}
