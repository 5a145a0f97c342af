package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.run.CleanUp;
import io.plimsoll.scenario.Quantities;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plimsoll clean}: removes the leftovers of killed runs from a cluster. */
@Command(name = "clean", customSynopsis = "plimsoll clean --bootstrap-server=HOST:PORT[,...] [OPTIONS]")
final class CleanCommand extends PlimsollCommand {
    @Mixin
    ClusterOptions cluster;

    @ArgGroup
    Which which = new Which();

    static final class Which {
        @Option(names = "--run", paramLabel = "RUN_DIR")
        Path run;

        @Option(names = "--older-than", paramLabel = "TIME")
        String olderThan = "1h";
    }

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "runs")
    Path out;

    @Option(names = "--dry-run")
    boolean dryRun;

    @Option(names = "--yes")
    boolean yes;

    @Override
    Exit perform() {
        Duration age = read("--older-than", which.olderThan, Quantities::durationOrZero);
        ClusterConnection connection = cluster.checkedConnection();
        try (Admin admin = connection.admin()) {
            CleanUp clean = new CleanUp(connection, admin, Instant.now());
            CleanUp.Found found = which.run == null ? clean.olderThan(age, out) : clean.ofRun(which.run);
            found.leftAlone().forEach(this::print);
            found.topics().forEach((name, description) -> print("cli.clean.topic", name, description));
            found.groups().forEach((name, description) -> print("cli.clean.group", name, description));
            if (found.nothing()) {
                print("cli.clean.nothing");
                return Exit.PASSED;
            }
            if (dryRun) {
                return Exit.PASSED;
            }
            out().flush();
            Exit.USAGE.when(!yes && !Asking.isGranted(this), "cli.clean.notAsked");
            Set<String> recreated = clean.remove(found);
            recreated.forEach(name -> print("cluster.recreated", name));
            print(
                    "cli.clean.removed",
                    found.topics().size() - recreated.size(),
                    found.groups().size());
            return Exit.PASSED;
        }
    }
}
