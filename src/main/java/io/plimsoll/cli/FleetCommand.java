package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.fleet.CertificateMaker;
import io.plimsoll.fleet.Fleet;
import io.plimsoll.fleet.FleetRules;
import io.plimsoll.fleet.NodeAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll fleet}. */
@Command(
        name = "fleet",
        description = "Looks after a fleet of agents.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {FleetCommand.Status.class, FleetCommand.Certs.class})
final class FleetCommand extends PlimsollCommand.Group {
    /** {@code plimsoll fleet status}. */
    @Command(
            name = "status",
            description = "Shows the agents of a fleet: versions, hosts, clocks, and what they are busy with.")
    static final class Status extends PlimsollCommand {
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
        Exit perform() {
            Fleet.Options options = new Fleet.Options(
                    NodeAddress.parseAll(fleet, "--fleet"),
                    workers,
                    Duration.ofSeconds(patience),
                    certs.certificates(),
                    new FleetRules(Map.of(), Map.of(), false),
                    "status",
                    ToolInfo.build());
            try (Fleet found = Fleet.find(options)) {
                found.awaitClocks();
                found.status().forEach(out()::println);
            }
            return Exit.PASSED;
        }
    }

    /** {@code plimsoll fleet certs}. */
    @Command(
            name = "certs",
            description = {
                "Makes a certificate authority for a fleet, and a directory of certificates for each host.",
                "Copy to each host the directory that is named like it and nothing else; DIR/authority makes new ones"
                        + " and stays where it is safe."
            })
    static final class Certs extends PlimsollCommand {
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
        Exit perform() {
            CertificateMaker maker = new CertificateMaker(directory);
            for (String host : hosts) {
                out().println(maker.host(host));
                out().flush();
            }
            return Exit.PASSED;
        }
    }
}
