package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.LoginProperties;
import io.plimsoll.PlimsollException;
import io.plimsoll.Typed;
import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.lab.LabLogins;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.lab.LabSecurity;
import io.plimsoll.report.ListText;
import io.plimsoll.report.Text;
import io.plimsoll.result.Json;
import io.plimsoll.result.Units;
import io.plimsoll.run.faults.Fault;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plimsoll lab}: starts a local cluster of real brokers that runs until it is stopped. */
@Command(
        name = "lab",
        synopsisSubcommandLabel = "start|status|stop|kill|pause|resume|restart",
        subcommands = {LabCommand.Start.class, LabCommand.Status.class, LabCommand.Stop.class, LabCommand.Prepare.class
        })
final class LabCommand extends PlimsollCommand.Group {
    static final class Place {
        static final String DEFAULT = ".plimsoll/lab";

        @Option(names = "--dir", paramLabel = "DIR", defaultValue = DEFAULT)
        Path directory;

        String option() {
            return directory.equals(Path.of(DEFAULT)) ? "" : " --dir " + quoted(directory);
        }

        /** Removes the default directory, which 'lab start' created, if it is empty. */
        void forget() {
            if (!directory.equals(Path.of(DEFAULT))) {
                return;
            }
            try {
                Files.deleteIfExists(directory);
                Files.deleteIfExists(directory.getParent());
            } catch (IOException e) {
                // The directory is not empty.
            }
        }
    }

    private static String quoted(Object path) {
        return Text.quote(List.of(path.toString()));
    }

    static String runOn(Lab lab) {
        String config = lab.logins()
                .map(logins -> " --command-config " + quoted(logins.properties(LabLogins.ADMIN)))
                .orElse("");
        String kerberos = lab.logins()
                .map(LabLogins::krb5)
                .map(file -> LoginProperties.KRB5_VARIABLE + "=" + quoted(file) + " ")
                .orElse("");
        return kerberos + Typed.program() + " run --bootstrap-server " + lab.bootstrapServers() + config;
    }

    @Command(name = "start")
    static final class Start extends PlimsollCommand {
        @Mixin
        Place place;

        @Option(names = "--brokers", paramLabel = "N", defaultValue = "1")
        int brokers;

        @Option(names = "--broker-config", paramLabel = "NAME=VALUE")
        Map<String, String> brokerConfig = new LinkedHashMap<>();

        @Option(names = "--heap", paramLabel = "MB", defaultValue = "" + LabOptions.DEFAULT_HEAP_MEGABYTES)
        int heapMegabytes;

        @Option(names = "--port", paramLabel = "PORT", defaultValue = "0")
        int port;

        @Option(names = "--host", paramLabel = "ADDRESS", defaultValue = "127.0.0.1")
        String host;

        @Option(names = "--security", paramLabel = "PROTOCOL[,...]")
        String security;

        @Option(names = "--kafka-version", paramLabel = "VERSION")
        String kafkaVersion;

        @Option(names = "--set", paramLabel = "NAME=VALUE")
        List<String> settings = new ArrayList<>();

        @Option(names = "--command-config", paramLabel = "FILE")
        Path commandConfig;

        @Override
        Exit perform() {
            if (kafkaVersion != null) {
                settings.add("kafkaVersion=" + kafkaVersion);
            }
            LabOptions options = LabOptions.persistent(brokers, place.directory)
                    .withBrokerConfig(brokerConfig)
                    .withHeapMegabytes(heapMegabytes)
                    .described(settings)
                    .withPort(port)
                    .withHost(host)
                    .withClientConfig(commandConfig == null ? Map.of() : ClusterConnection.properties(commandConfig));
            if (security != null) {
                options = options.withSecurity(LabSecurity.parse(security));
            }
            tell(Sentence.of("cli.startingBrokers", brokers));
            long startNanos = System.nanoTime();
            Lab lab = Lab.start(options);
            double seconds = (System.nanoTime() - startNanos) / 1e9;

            for (String name : lab.unknownConfig()) {
                say("cli.warning", Sentence.of("cli.brokerIgnores", name));
            }
            if (!host.equals(LabOptions.LOOPBACK) && lab.logins().isEmpty()) {
                say("cli.warning", Sentence.of("cli.openToAll", host));
            }
            PrintWriter out = out();
            for (LabBroker broker : lab.brokers()) {
                print("cli.brokerAt", broker.id(), broker.address(), broker.pid());
            }
            print("cli.labDirectory", lab.directory());
            out.println("bootstrap.servers=" + lab.bootstrapServers());
            out.println();
            print("cli.labReady", String.format(Locale.ROOT, "%.1f", seconds));
            out.println("  " + runOn(lab));
            print("cli.endWith");
            out.println("  " + Typed.program() + " lab stop" + place.option());
            return Exit.PASSED;
        }
    }

    @Command(name = "status")
    static final class Status extends PlimsollCommand {
        @Mixin
        Place place;

        @Option(names = "--json")
        boolean json;

        @Override
        Exit perform() {
            Lab lab = Lab.open(place.directory);
            PrintWriter out = out();
            if (json) {
                out.print(Json.pretty(asMap(lab)));
            } else {
                printTable(lab, out);
            }
            return lab.isRunning() ? Exit.PASSED : Exit.CLUSTER;
        }

        private void printTable(Lab lab, PrintWriter out) {
            List<List<Object>> rows = new ArrayList<>();
            for (LabBroker broker : lab.brokers()) {
                rows.add(List.of(
                        broker.id(),
                        broker.address(),
                        broker.controllerPort(),
                        broker.pid(),
                        Sentence.of("cli.labState." + broker.state().name().toLowerCase(Locale.ROOT)),
                        Units.decimals(lab.dataBytes(broker.id()) / 1e6, 1) + " MB"));
            }
            out.print(ListText.of("cli.labColumns", rows, look()));
            print("cli.labDirectory", lab.directory());
            if (lab.isRunning()) {
                out.println("bootstrap.servers=" + lab.bootstrapServers());
            } else {
                print("cli.labRests", place.option(), lab.brokers().size());
            }
        }

        private static Map<String, Object> asMap(Lab lab) {
            List<Map<String, Object>> brokers = lab.brokers().stream()
                    .map(broker -> Json.object(
                            "id", broker.id(),
                            "address", broker.address(),
                            "controllerPort", broker.controllerPort(),
                            "pid", broker.pid(),
                            "alive", broker.alive(),
                            "paused", broker.paused(),
                            "dataBytes", lab.dataBytes(broker.id()),
                            "dataDirectory", broker.dataDirectory().toString(),
                            "logFile", broker.logFile().toString()))
                    .toList();
            return Json.object(
                    "schema", "plimsoll.lab-status/1",
                    "directory", lab.directory().toString(),
                    "clusterId", lab.clusterId(),
                    "running", lab.isRunning(),
                    "bootstrapServers", lab.bootstrapServers(),
                    "brokers", brokers);
        }
    }

    @Command(name = "stop")
    static final class Stop extends PlimsollCommand {
        @Mixin
        Place place;

        @Option(names = "--keep-data")
        boolean keepData;

        @Override
        Exit perform() {
            Lab lab = Lab.open(place.directory);
            Sentence ended = Sentence.of(lab.isRunning() ? "cli.labStopped" : "cli.labWasStopped");
            lab.stop(keepData);
            place.forget();
            print(
                    "cli.labEnded",
                    ended,
                    keepData ? Sentence.of("cli.dataStays", lab.directory()) : Sentence.of("cli.dataRemoved"));
            return Exit.PASSED;
        }
    }

    /** A command that the build uses. */
    @Command(name = "prepare", hidden = true)
    static final class Prepare extends PlimsollCommand {
        @Override
        Exit perform() {
            return Lab.prepare() ? Exit.PASSED : Exit.INTERNAL;
        }
    }

    static final class ChosenBroker {
        @Option(names = "--broker", paramLabel = "ID")
        Integer id;

        @Option(names = "--leader-of", paramLabel = "TOPIC-PARTITION")
        String leaderOf;

        @Option(names = "--controller")
        boolean controller;

        @Option(names = "--any")
        boolean any;
    }

    /** Adds one command for each fault that acts on lab brokers, with help in this language. */
    static void addFaults(CommandLine lab, Language language) {
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
        Place place;

        @ArgGroup(multiplicity = "1")
        ChosenBroker chosen;

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
            Exit.USAGE.when(!lab.describe(id).alive() && !deed.whenStopped(), "lab.brokerNotRunning", id);
            deed.deed().accept(lab, id);
            print(deed.done(id, place.option()));
            return Exit.PASSED;
        }

        private int find(Lab lab) {
            if (chosen.id != null) {
                return chosen.id;
            }
            if (chosen.any) {
                List<Integer> ids = lab.brokers().stream()
                        .filter(deed.possible())
                        .map(LabBroker::id)
                        .toList();
                Exit.USAGE.when(ids.isEmpty(), "cli.noBrokerForIt");
                return ids.get(ThreadLocalRandom.current().nextInt(ids.size()));
            }
            if (chosen.controller) {
                return ask(lab, BrokerRoles::controller, Sentence.of("cli.noController"));
            }
            Matcher partition = PARTITION.matcher(chosen.leaderOf);
            Exit.USAGE.when(!partition.matches(), "cli.leaderOfWhat", chosen.leaderOf);
            int number = Integer.parseInt(partition.group(2));
            return ask(
                    lab,
                    roles -> roles.leaderOf(partition.group(1), number),
                    Sentence.of("cli.noLeader", chosen.leaderOf));
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
