package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.lab.LabLogins;
import io.plimsoll.run.faults.Fault;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Faults that can be made by hand on the brokers of a lab. */
final class LabFaultCommands {
    private LabFaultCommands() {}

    static final class Whom {
        @Option(names = "--broker", paramLabel = "ID")
        Integer id;

        @Option(names = "--leader-of", paramLabel = "TOPIC-PARTITION")
        String leaderOf;

        @Option(names = "--controller")
        boolean controller;

        @Option(names = "--any")
        boolean any;
    }

    /** Adds a command for each thing that can be done by hand, with help in this language. */
    static void addTo(CommandLine lab, Language language) {
        FaultKind.all().values().stream()
                .flatMap(kind -> ((Fault<?>) kind).byHand().stream())
                .forEach(deed -> {
                    CommandLine command = new CommandLine(new OnBroker(deed));
                    command.getCommandSpec()
                            .name(deed.name())
                            .usageMessage()
                            .description(deed.help().in(language).lines().toArray(String[]::new));
                    lab.addSubcommand(deed.name(), command);
                });
    }

    private static final class OnBroker extends PlimsollCommand {
        private static final Pattern PARTITION = Pattern.compile("(.+)-(\\d{1,9})");

        @Mixin
        LabCommand.Place place;

        @ArgGroup(multiplicity = "1")
        Whom whom;

        @Option(names = "--command-config", paramLabel = "FILE", descriptionKey = "fault.command-config")
        Path commandConfig;

        private final Fault.ByHand deed;

        OnBroker(Fault.ByHand deed) {
            this.deed = deed;
        }

        @Override
        Exit perform() {
            Lab lab = Lab.open(
                    place.directory, commandConfig == null ? Map.of() : ClusterConnection.properties(commandConfig));
            int id = find(lab);
            Exit.USAGE.when(!lab.describe(id).alive() && !deed.toTheDead(), "lab.brokerNotRunning", id);
            deed.deed().accept(lab, id);
            out().println(deed.done(id, place.option()).in(language()));
            return Exit.PASSED;
        }

        private int find(Lab lab) {
            if (whom.id != null) {
                return whom.id;
            }
            if (whom.any) {
                List<LabBroker> all =
                        lab.brokers().stream().filter(deed.possible()).toList();
                Exit.USAGE.when(all.isEmpty(), "cli.noBrokerForIt");
                return all.get(ThreadLocalRandom.current().nextInt(all.size())).id();
            }
            if (whom.controller) {
                return ask(lab, BrokerRoles::controller, Sentence.of("cli.noController"));
            }
            Matcher partition = PARTITION.matcher(whom.leaderOf);
            Exit.USAGE.when(!partition.matches(), "cli.leaderOfWhat", whom.leaderOf);
            int number = Integer.parseInt(partition.group(2));
            return ask(
                    lab,
                    roles -> roles.leaderOf(partition.group(1), number),
                    Sentence.of("cli.noLeader", whom.leaderOf));
        }

        private int ask(Lab lab, Function<BrokerRoles, OptionalInt> question, Sentence otherwise) {
            Exit.CLUSTER.when(
                    lab.brokers().stream().noneMatch(broker -> broker.alive() && !broker.paused()),
                    "cli.noBrokerToAsk");
            ClusterConnection connection = commandConfig == null
                    ? new ClusterConnection(
                            lab.bootstrapServers(),
                            lab.logins().map(LabLogins::client).orElse(Map.of()))
                    : ClusterConnection.of(lab.bootstrapServers(), commandConfig, List.of());
            try (Admin admin = connection.admin()) {
                return question.apply(new BrokerRoles(admin))
                        .orElseThrow(() -> new PlimsollException(Exit.CLUSTER, otherwise));
            }
        }
    }
}
