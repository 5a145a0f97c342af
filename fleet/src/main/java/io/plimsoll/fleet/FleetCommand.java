package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.cli.FleetOptions;
import io.plimsoll.cli.ModuleCommand;
import io.plimsoll.fleet.Certificates.CertificateMaker;
import io.plimsoll.fleet.FleetMessage.Calibrated;
import io.plimsoll.fleet.plan.FleetPlan.PlanTarget;
import io.plimsoll.fleet.plan.FleetPlan.PlannedHost;
import io.plimsoll.fleet.plan.FleetPlan;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.result.Json;
import io.plimsoll.run.HostLimits;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.calibrate.Calibrator;
import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.run.fleet.FleetSupport.Wanted;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Rate.Unit;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll fleet}: shows a fleet, plans its size, and creates its certificates. */
@Command(
        name = "fleet",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            FleetCommand.Status.class,
            FleetCommand.Plan.class,
            FleetCommand.Certs.class,
            FleetCommand.Revoke.class
        })
public final class FleetCommand extends ModuleCommand.OfFleet {
    @Override
    protected Exit execute() {
        throw withoutSubcommand();
    }

    @Command(name = "status")
    static final class Status extends ModuleCommand.OfFleet {
        @Option(names = "--fleet", paramLabel = "HOST:PORT[,...]", defaultValue = "127.0.0.1:7654")
        String fleet;

        @Mixin
        Asked asked = new Asked();

        @Override
        protected Exit execute() {
            try (Fleet found = Fleet.find(asked.wanted(fleet, spec.name()))) {
                found.status().forEach(this::print);
                found.warnings().forEach(this::say);
            }
            return Exit.PASSED;
        }
    }

    @Command(name = "plan")
    static final class Plan extends ModuleCommand.OfFleet {
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
        protected Exit execute() {
            Quantity wanted = read("--rate", rate, Quantities::rate);
            int bytes = read("--record-size", recordSize, Quantities::size);
            expect(bytes > 0, "--record-size", recordSize, "scenario.a.count.least", 1);
            double free = read("--headroom", headroom, Quantities::ratio);
            expect(free <= 0.9, "--headroom", headroom, "cli.a.range", "0%", "90%");
            List<String> engines = Calibrator.engines();
            Exit.USAGE.when(!engines.contains(engine), "cli.noSuchEngine", engines, engine);
            require(fleet != null || (asked.workers == 0 && !asked.certs.any()), "cli.onlyInFleet");
            double records = wanted.unit() == Unit.RECORDS ? wanted.value() : wanted.value() / bytes;
            PlanTarget target = new PlanTarget(records, bytes, engine, free);
            FleetPlan plan = fleet == null ? likeThisHost(target) : of(asked.wanted(fleet, spec.name()), target);
            if (json) {
                out().print(Json.pretty(plan));
            } else {
                plan.lines().forEach(this::print);
            }
            return Exit.PASSED;
        }

        /** A plan for agents with the capacity of this host. */
        private static FleetPlan likeThisHost(PlanTarget target) {
            HostInventory host = HostInventory.read(Path.of("."));
            CalibratedLimit limit = Agent.limit(
                    HostLimits.cache(host, ToolInfo.version()).read(note -> {}), target.engine());
            PlannedHost one = new PlannedHost(
                    String.valueOf(host.name().plain()),
                    Runtime.getRuntime().availableProcessors(),
                    Agent.networkCard(host),
                    limit);
            return FleetPlan.of(target, List.of(one), false);
        }

        private static FleetPlan of(Wanted fleet, PlanTarget target) {
            try (Fleet found = Fleet.find(fleet)) {
                // Agents on one host share its cores, although each of them was calibrated with all cores.
                Set<String> known = new HashSet<>();
                List<PlannedHost> hosts = found.agents().stream()
                        .map(RemoteAgent::info)
                        .filter(i -> known.add(i.host()))
                        .map(i -> new PlannedHost(
                                i.name(), i.cores(), i.networkCard(), limit(i.calibrated(), target.engine())))
                        .toList();
                return FleetPlan.of(target, hosts, true);
            }
        }

        private static @Nullable CalibratedLimit limit(Map<String, Calibrated> calibrated, String engine) {
            Calibrated of = calibrated.get(engine);
            return of == null ? null : of.limit();
        }
    }

    /** Options of commands that query a fleet without a run. */
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
                    FleetOptions.counted(workers),
                    FleetOptions.patience(patience),
                    certs.given(),
                    new FleetRules(Map.of(), Map.of(), false),
                    command,
                    ToolInfo.build());
        }
    }

    @Command(name = "certs")
    static final class Certs extends ModuleCommand.OfFleet {
        @Parameters(index = "0", paramLabel = "DIR", descriptionKey = "argument.certs.directory")
        Path directory;

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "HOST", descriptionKey = "argument.certs.hosts")
        List<String> hosts;

        @Option(names = "--days", paramLabel = "N", defaultValue = "" + CertificateMaker.DAYS)
        int days;

        @Override
        protected Exit execute() {
            Exit.USAGE.when(days < 1, "cli.daysFromOne");
            CertificateMaker maker = new CertificateMaker(directory, days);
            for (String host : hosts) {
                out().println(maker.host(host));
                out().flush();
            }
            return Exit.PASSED;
        }
    }

    @Command(name = "revoke")
    static final class Revoke extends ModuleCommand.OfFleet {
        @Parameters(index = "0", paramLabel = "DIR", descriptionKey = "argument.certs.made")
        Path directory;

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "HOST", descriptionKey = "argument.certs.revoked")
        List<String> hosts;

        @Override
        protected Exit execute() {
            out().println(new CertificateMaker(directory, CertificateMaker.DAYS).revoke(hosts));
            say("cli.copyRevoked");
            return Exit.PASSED;
        }
    }
}
