package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What can be done by hand to the brokers of a lab. */
final class LabFaultCommands {
    private LabFaultCommands() {}

    /** Which broker is meant. */
    static final class Whom {
        @Option(names = "--broker", paramLabel = "ID", description = "The broker with this id.")
        Integer id;

        @Option(
                names = "--leader-of",
                paramLabel = "TOPIC-PARTITION",
                description = "The broker that leads this partition, such as events-0.")
        String leaderOf;

        @Option(names = "--controller", description = "The broker that leads the controllers.")
        boolean controller;

        @Option(names = "--any", description = "Any broker that this can be done to.")
        boolean any;
    }

    /** Something done to one broker of a lab. */
    abstract static class OnBroker implements Callable<Integer> {
        private static final Pattern PARTITION = Pattern.compile("(.+)-(\\d{1,9})");

        @Spec
        CommandSpec spec;

        @Mixin
        LabCommand.Place place;

        @ArgGroup(multiplicity = "1")
        Whom whom;

        @Option(
                names = "--command-config",
                paramLabel = "FILE",
                description =
                        "A file of client properties to ask the brokers with, where --broker-config asks for security.")
        Path commandConfig;

        /** Does it, and returns what to tell. */
        abstract String act(Lab lab, int id);

        /** Whom it can be done to. */
        abstract Predicate<LabBroker> possible();

        @Override
        public Integer call() {
            Lab lab = Lab.open(place.directory);
            String done = act(lab, find(lab));
            spec.commandLine().getOut().println(done);
            return Exit.PASSED.code();
        }

        private int find(Lab lab) {
            if (whom.id != null) {
                return whom.id;
            }
            if (whom.any) {
                List<LabBroker> all = lab.brokers().stream().filter(possible()).toList();
                if (all.isEmpty()) {
                    throw new PlimsollException(Exit.USAGE, Sentence.of("cli.noBrokerForIt"));
                }
                return all.get(ThreadLocalRandom.current().nextInt(all.size())).id();
            }
            if (whom.controller) {
                return ask(lab, BrokerRoles::controller, Sentence.of("cli.noController"));
            }
            Matcher partition = PARTITION.matcher(whom.leaderOf);
            if (!partition.matches()) {
                throw new PlimsollException(Exit.USAGE, Sentence.of("cli.leaderOfWhat", whom.leaderOf));
            }
            int number = Integer.parseInt(partition.group(2));
            return ask(
                    lab,
                    roles -> roles.leaderOf(partition.group(1), number),
                    Sentence.of("cli.noLeader", whom.leaderOf));
        }

        private int ask(Lab lab, Function<BrokerRoles, OptionalInt> question, Sentence otherwise) {
            if (lab.brokers().stream().noneMatch(broker -> broker.alive() && !broker.paused())) {
                throw new PlimsollException(Exit.CLUSTER, Sentence.of("cli.noBrokerToAsk"));
            }
            ClusterConnection connection = ClusterConnection.of(lab.bootstrapServers(), commandConfig, List.of());
            try (Admin admin = connection.admin()) {
                return question.apply(new BrokerRoles(admin))
                        .orElseThrow(() -> new PlimsollException(Exit.CLUSTER, otherwise));
            }
        }
    }

    private static LabBroker state(Lab lab, int id) {
        return lab.brokers().stream()
                .filter(broker -> broker.id() == id)
                .findFirst()
                .orElseThrow(() -> new PlimsollException(
                        Exit.USAGE,
                        Sentence.of(
                                "lab.noSuchBroker",
                                id,
                                lab.brokers().stream()
                                        .map(LabBroker::id)
                                        .toList()
                                        .toString())));
    }

    private static void requireAlive(Lab lab, int id) {
        if (!state(lab, id).alive()) {
            throw new PlimsollException(Exit.USAGE, Sentence.of("lab.brokerNotRunning", id));
        }
    }

    @Command(
            name = "kill",
            description = "Ends a broker as a crash would (SIGKILL). Its data stays; 'lab restart' brings it back.",
            mixinStandardHelpOptions = true)
    static final class Kill extends OnBroker {
        @Override
        String act(Lab lab, int id) {
            requireAlive(lab, id);
            lab.kill(id);
            return "Broker " + id + " is killed. Bring it back with: ./plimsoll lab restart --broker " + id
                    + place.option();
        }

        @Override
        Predicate<LabBroker> possible() {
            return LabBroker::alive;
        }
    }

    @Command(
            name = "pause",
            description = {
                "Stops the process of a broker without ending it (SIGSTOP).",
                "Its connections stay, and nothing answers on them."
            },
            mixinStandardHelpOptions = true)
    static final class Pause extends OnBroker {
        @Override
        String act(Lab lab, int id) {
            requireAlive(lab, id);
            lab.pause(id);
            return "Broker " + id + " is paused. Let it go on with: ./plimsoll lab resume --broker " + id
                    + place.option();
        }

        @Override
        Predicate<LabBroker> possible() {
            return broker -> broker.alive() && !broker.paused();
        }
    }

    @Command(name = "resume", description = "Lets a paused broker go on (SIGCONT).", mixinStandardHelpOptions = true)
    static final class Resume extends OnBroker {
        @Override
        String act(Lab lab, int id) {
            requireAlive(lab, id);
            lab.resume(id);
            return "Broker " + id + " goes on.";
        }

        @Override
        Predicate<LabBroker> possible() {
            return LabBroker::paused;
        }
    }

    @Command(
            name = "restart",
            description = {
                "Starts a broker again; one that runs is shut down in good order before.",
                "After a crash Kafka lets it back only when its session has expired (9 s)."
            },
            mixinStandardHelpOptions = true)
    static final class Restart extends OnBroker {
        private static final Duration PATIENCE = Duration.ofSeconds(30);

        @Override
        String act(Lab lab, int id) {
            if (state(lab, id).alive()) {
                lab.shutDown(id, PATIENCE);
            }
            lab.restart(id);
            return "Broker " + id + " is running again.";
        }

        @Override
        Predicate<LabBroker> possible() {
            return broker -> !broker.alive();
        }
    }
}
