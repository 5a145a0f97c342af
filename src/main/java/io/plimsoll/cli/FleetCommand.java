package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.fleet.Certificates.CertificateMaker;
import io.plimsoll.fleet.Fleet;
import io.plimsoll.fleet.FleetRules;
import io.plimsoll.fleet.NodeAddress;
import io.plimsoll.run.ToolInfo;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "fleet",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {FleetCommand.Status.class, FleetCommand.Certs.class, FleetCommand.Revoke.class})
final class FleetCommand extends PlimsollCommand.Group {
    @Command(name = "status")
    static final class Status extends PlimsollCommand {
        @Option(names = "--fleet", paramLabel = "HOST:PORT[,...]", defaultValue = "127.0.0.1:7654")
        String fleet;

        @Option(names = "--workers", paramLabel = "N")
        int workers;

        @Option(names = "--fleet-timeout", paramLabel = "TIME", defaultValue = "10s")
        String patience;

        @Mixin
        FleetOptions.Certs certs = new FleetOptions.Certs();

        @Override
        Exit perform() {
            Fleet.Options options = new Fleet.Options(
                    NodeAddress.parseAll(fleet, "--fleet"),
                    workers,
                    FleetOptions.patience(patience),
                    certs.ofCoordinator(),
                    new FleetRules(Map.of(), Map.of(), false),
                    "status",
                    ToolInfo.build());
            try (Fleet found = Fleet.find(options)) {
                found.awaitClocks();
                found.status().forEach(line -> out().println(line.in(language())));
                found.warnings().forEach(this::say);
            }
            return Exit.PASSED;
        }
    }

    @Command(name = "certs")
    static final class Certs extends PlimsollCommand {
        @Parameters(index = "0", paramLabel = "DIR", descriptionKey = "argument.certs.directory")
        Path directory;

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "HOST", descriptionKey = "argument.certs.hosts")
        List<String> hosts;

        @Option(names = "--days", paramLabel = "N", defaultValue = "" + CertificateMaker.DAYS)
        int days;

        @Override
        Exit perform() {
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
    static final class Revoke extends PlimsollCommand {
        @Parameters(index = "0", paramLabel = "DIR", descriptionKey = "argument.certs.made")
        Path directory;

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "HOST", descriptionKey = "argument.certs.revoked")
        List<String> hosts;

        @Override
        Exit perform() {
            Path list = new CertificateMaker(directory, CertificateMaker.DAYS).revoke(hosts);
            out().println(list);
            say("cli.copyRevoked");
            return Exit.PASSED;
        }
    }
}
