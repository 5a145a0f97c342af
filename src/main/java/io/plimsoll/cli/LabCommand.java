package io.plimsoll.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A cluster of real brokers on this machine that stays until it is stopped. */
@Command(
        name = "lab",
        description = "Starts and stops a cluster of real Apache Kafka brokers on this machine, and lets them fail.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "start|status|stop|kill|pause|resume|restart",
        subcommands = {LabCommand.Start.class, LabCommand.Status.class, LabCommand.Stop.class, LabCommand.Prepare.class
        })
final class LabCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(), "say what to do: lab start, status, stop, kill, pause, resume or restart");
    }

    /** Where the lab is. */
    static final class Place {
        private static final String DEFAULT = ".plimsoll/lab";

        @Option(
                names = "--dir",
                paramLabel = "DIR",
                defaultValue = DEFAULT,
                description = "The lab's directory for data, logs and state. Default: ${DEFAULT-VALUE}.")
        Path directory;

        /** The options to add to a command so that it means the same lab. */
        String option() {
            return directory.equals(Path.of(DEFAULT)) ? "" : " --dir " + directory;
        }

        /** Removes the directory around the default place, which 'lab start' has made too, if nothing else is in it. */
        void forget() {
            if (!directory.equals(Path.of(DEFAULT))) {
                return;
            }
            try {
                Files.deleteIfExists(directory);
                Files.deleteIfExists(directory.getParent());
            } catch (IOException e) {
                // not empty: it is somebody else's
            }
        }
    }

    @Command(
            name = "start",
            description = "Starts brokers that stay after this command, until 'plimsoll lab stop'.",
            mixinStandardHelpOptions = true)
    static final class Start implements Callable<Integer> {
        @Spec
        CommandSpec spec;

        @Mixin
        Place place;

        @Option(
                names = "--brokers",
                paramLabel = "N",
                defaultValue = "1",
                description = "How many brokers, 1 to 9. Default: ${DEFAULT-VALUE}.")
        int brokers;

        @Option(
                names = "--broker-config",
                paramLabel = "NAME=VALUE",
                description = "A property of the brokers; wins over the lab's own. Repeatable.")
        Map<String, String> brokerConfig = new LinkedHashMap<>();

        @Option(
                names = "--heap",
                paramLabel = "MB",
                defaultValue = "" + LabOptions.DEFAULT_HEAP_MEGABYTES,
                description = "The largest heap of each broker, in units of 2^20 bytes. Default: ${DEFAULT-VALUE}.")
        int heapMegabytes;

        @Option(
                names = "--port",
                paramLabel = "PORT",
                defaultValue = "0",
                description = "The port of broker 1; the others follow it. Default: free ports.")
        int port;

        @Option(
                names = "--host",
                paramLabel = "ADDRESS",
                defaultValue = "127.0.0.1",
                description =
                        "The address of this machine where clients connect. Whoever reaches it may use the brokers,"
                                + " so anything but loopback belongs into a closed network. Default: ${DEFAULT-VALUE}.")
        String host;

        @Option(
                names = "--command-config",
                paramLabel = "FILE",
                description = "A file of client properties to reach the brokers with, where --broker-config asks for"
                        + " security.")
        Path commandConfig;

        @Override
        public Integer call() {
            LabOptions options = LabOptions.persistent(brokers, place.directory)
                    .withBrokerConfig(brokerConfig)
                    .withHeapMegabytes(heapMegabytes)
                    .withPort(port)
                    .withHost(host)
                    .withClientConfig(clientConfig());
            PrintWriter err = spec.commandLine().getErr();
            err.println("Starting " + (brokers == 1 ? "1 broker" : brokers + " brokers") + "...");
            err.flush();
            long startNanos = System.nanoTime();
            Lab lab = Lab.start(options);
            double seconds = (System.nanoTime() - startNanos) / 1e9;

            for (String name : lab.unknownConfig()) {
                err.println("plimsoll: warning: the brokers know no property '" + name + "' and ignore it.");
            }
            if (!host.equals(LabOptions.LOOPBACK)) {
                err.println("plimsoll: warning: whoever reaches " + host + " may use these brokers.");
            }
            PrintWriter out = spec.commandLine().getOut();
            for (LabBroker broker : lab.brokers()) {
                out.println("Broker " + broker.id() + "  " + broker.address() + "  process " + broker.pid());
            }
            out.println("Directory  " + lab.directory());
            out.println("bootstrap.servers=" + lab.bootstrapServers());
            out.println();
            out.printf(Locale.ROOT, "Ready after %.1f s. Put load on it with:%n", seconds);
            out.println("  ./plimsoll run --bootstrap-server " + lab.bootstrapServers());
            out.println("End it with:");
            out.println("  ./plimsoll lab stop" + place.option());
            return Exit.PASSED.code();
        }

        private Map<String, String> clientConfig() {
            if (commandConfig == null) {
                return Map.of();
            }
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(commandConfig)) {
                properties.load(reader);
            } catch (IOException e) {
                throw new PlimsollException(
                        Exit.USAGE, Sentence.of("cli.cannotReadClientProperties", commandConfig), e);
            }
            Map<String, String> config = new LinkedHashMap<>();
            properties.stringPropertyNames().forEach(name -> config.put(name, properties.getProperty(name)));
            return config;
        }
    }

    @Command(
            name = "status",
            description = {
                "Shows the brokers of a lab, whether they run, and how much data they hold.",
                "The exit code is 0 if at least one runs, 6 if none does."
            },
            mixinStandardHelpOptions = true)
    static final class Status implements Callable<Integer> {
        private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

        @Spec
        CommandSpec spec;

        @Mixin
        Place place;

        @Option(names = "--json", description = "Print JSON instead of a table.")
        boolean json;

        @Override
        public Integer call() throws IOException {
            Lab lab = Lab.open(place.directory);
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(JSON.writeValueAsString(asMap(lab)));
            } else {
                printTable(lab, out);
            }
            return (lab.isRunning() ? Exit.PASSED : Exit.CLUSTER).code();
        }

        private void printTable(Lab lab, PrintWriter out) {
            String row = "%-6s  %-15s  %-10s  %-8s  %-7s  %10s%n";
            out.printf(Locale.ROOT, row, "BROKER", "ADDRESS", "CONTROLLER", "PROCESS", "STATE", "DATA");
            for (LabBroker broker : lab.brokers()) {
                out.printf(
                        Locale.ROOT,
                        row,
                        broker.id(),
                        broker.address(),
                        broker.controllerPort(),
                        broker.pid(),
                        broker.paused() ? "paused" : broker.alive() ? "running" : "dead",
                        String.format(Locale.ROOT, "%.1f MB", lab.dataBytes(broker.id()) / 1e6));
            }
            out.println("Directory  " + lab.directory());
            if (lab.isRunning()) {
                out.println("bootstrap.servers=" + lab.bootstrapServers());
            } else {
                out.println("No broker of this lab is running, but its data is there. 'plimsoll lab start"
                        + place.option() + " --brokers "
                        + lab.brokers().size()
                        + "' goes on with it, 'plimsoll lab stop" + place.option() + "' removes it.");
            }
        }

        private static Map<String, Object> asMap(Lab lab) {
            List<Map<String, Object>> brokers = new ArrayList<>();
            for (LabBroker broker : lab.brokers()) {
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("id", broker.id());
                entry.put("address", broker.address());
                entry.put("controllerPort", broker.controllerPort());
                entry.put("pid", broker.pid());
                entry.put("alive", broker.alive());
                entry.put("paused", broker.paused());
                entry.put("dataBytes", lab.dataBytes(broker.id()));
                entry.put("dataDirectory", broker.dataDirectory().toString());
                entry.put("logFile", broker.logFile().toString());
                brokers.add(entry);
            }
            Map<String, Object> status = new LinkedHashMap<>();
            status.put("schema", "plimsoll.lab-status/1");
            status.put("directory", lab.directory().toString());
            status.put("clusterId", lab.clusterId());
            status.put("running", lab.isRunning());
            status.put("bootstrapServers", lab.bootstrapServers());
            status.put("brokers", brokers);
            return status;
        }
    }

    @Command(
            name = "stop",
            description = "Stops the brokers of a lab and removes its data.",
            mixinStandardHelpOptions = true)
    static final class Stop implements Callable<Integer> {
        @Spec
        CommandSpec spec;

        @Mixin
        Place place;

        @Option(
                names = "--keep-data",
                description = "Keep the data for a later 'plimsoll lab start' in the same directory.")
        boolean keepData;

        @Override
        public Integer call() {
            Lab lab = Lab.open(place.directory);
            String ended = lab.isRunning() ? "The lab is stopped; " : "The lab was not running any more; ";
            lab.stop(keepData);
            place.forget();
            spec.commandLine()
                    .getOut()
                    .println(
                            ended + (keepData ? "its data stays in " + lab.directory() + "." : "its data is removed."));
            return Exit.PASSED.code();
        }
    }

    /** Called by the build, not by people. */
    @Command(
            name = "prepare",
            hidden = true,
            description = "Makes brokers start faster, once after each build of this program.",
            mixinStandardHelpOptions = true)
    static final class Prepare implements Callable<Integer> {
        @Override
        public Integer call() {
            return (Lab.prepare() ? Exit.PASSED : Exit.INTERNAL).code();
        }
    }
}
