package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.fleet.CertificateMaker;
import io.plimsoll.fleet.Fleet;
import io.plimsoll.fleet.FleetRules;
import io.plimsoll.fleet.NodeAddress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plimsoll fleet}. */
@Command(
        name = "fleet",
        description = "Looks after a fleet of agents.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {FleetCommand.Status.class, FleetCommand.Certs.class},
        mixinStandardHelpOptions = true)
final class FleetCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "say what to do: fleet status or fleet certs");
    }

    /** {@code plimsoll fleet status}. */
    @Command(
            name = "status",
            description = "Shows the agents of a fleet: versions, hosts, clocks, and what they are busy with.",
            mixinStandardHelpOptions = true)
    static final class Status implements Callable<Integer> {
        @Spec
        CommandSpec spec;

        @Option(
                names = "--fleet",
                paramLabel = "HOST:PORT[,...]",
                defaultValue = "127.0.0.1:7654",
                description = "Agents of the fleet; the rest is learned from them. Default: ${DEFAULT-VALUE}.")
        String fleet;

        @Option(
                names = "--workers",
                paramLabel = "N",
                description = "How many agents are waited for. Default: those of --fleet, and whoever else is there by"
                        + " then.")
        int workers;

        @Option(
                names = "--fleet-timeout",
                paramLabel = "SECONDS",
                defaultValue = "10",
                description = "How long agents are waited for. Default: ${DEFAULT-VALUE}.")
        int patience;

        @Mixin
        CertsOption certs = new CertsOption();

        @Override
        public Integer call() {
            Fleet.Options options = new Fleet.Options(
                    NodeAddress.parseAll(fleet, "--fleet"),
                    workers,
                    Duration.ofSeconds(patience),
                    certs.certificates(),
                    new FleetRules(Map.of(), Map.of(), false),
                    "status",
                    ToolInfo.build());
            PrintWriter out = spec.commandLine().getOut();
            try (Fleet found = Fleet.find(options)) {
                found.awaitClocks();
                found.status().forEach(out::println);
            }
            out.flush();
            return Exit.PASSED.code();
        }
    }

    /** {@code plimsoll fleet certs}. */
    @Command(
            name = "certs",
            description = {
                "Makes a certificate authority for a fleet, and a directory of certificates for each host.",
                "Copy to each host the directory that is named like it and nothing else; DIR/authority makes new ones and"
                        + " stays where it is safe."
            },
            mixinStandardHelpOptions = true)
    static final class Certs implements Callable<Integer> {
        @Spec
        CommandSpec spec;

        @Parameters(
                index = "0",
                paramLabel = "DIR",
                description = "Where they are written; an authority that is there is used again.")
        Path directory;

        @Parameters(
                index = "1..*",
                arity = "1..*",
                paramLabel = "HOST",
                description =
                        "Names or addresses by which hosts of the fleet are reached, that of the coordinator among"
                                + " them. *.DOMAIN is for all hosts directly in a domain.")
        List<String> hosts;

        @Override
        public Integer call() {
            CertificateMaker maker = new CertificateMaker(directory);
            PrintWriter out = spec.commandLine().getOut();
            for (String host : hosts) {
                out.println(maker.host(host));
                out.flush();
            }
            return Exit.PASSED.code();
        }
    }
}
