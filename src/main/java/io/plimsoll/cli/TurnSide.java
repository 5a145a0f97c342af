package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * One side of a comparison of whole runs: a cluster to run on, or a build of Kafka's client to run with.
 *
 * @param text as it is told, such as {@code cluster=kafka1:9092}
 */
record TurnSide(String text, boolean cluster, String value) {
    private static final String CLUSTER = "cluster=";
    private static final String CLIENT = "client=";

    /** What a jar of Kafka's client has, and since when it has what this program calls. */
    private static final String ANY = "org/apache/kafka/clients/producer/KafkaProducer.class";

    private static final String SINCE_4_1 = "org/apache/kafka/clients/consumer/CloseOptions.class";

    /** Neither is a key of a scenario. */
    static boolean isOne(String text) {
        return text.startsWith(CLUSTER) || text.startsWith(CLIENT);
    }

    /** Jars go by their names alone where these tell them apart. */
    static List<TurnSide> of(List<String> texts) {
        List<TurnSide> whole = texts.stream().map(TurnSide::of).toList();
        List<TurnSide> named =
                whole.stream().map(side -> of(side, CLIENT + name(side))).toList();
        boolean told = named.stream().map(TurnSide::text).distinct().count() == texts.size();
        return whole.get(0).cluster() || !told ? whole : named;
    }

    static TurnSide of(String text) {
        return new TurnSide(text, text.startsWith(CLUSTER), text.substring(text.indexOf('=') + 1));
    }

    private static TurnSide of(TurnSide side, String text) {
        return new TurnSide(text, side.cluster(), side.value());
    }

    private static String name(TurnSide side) {
        return String.valueOf(Path.of(side.value()).getFileName());
    }

    /** Refuses options that say what a side says, or that it does not go with. */
    void checkOptions(RunCommand command, Plan plan) {
        if (cluster) {
            Exit.USAGE.when(command.cluster.bootstrapServer != null, "cli.clusterTwice");
            Exit.USAGE.when(command.lab.asked(), "cli.labOrCluster");
        } else {
            Exit.USAGE.when(command.fleet.named(), "cli.clientOfFleet");
            plan.trials().forEach(trial -> entries(trial.scenario())
                    .filter(engine -> !engine.equals(Engine.DEFAULT))
                    .findFirst()
                    .ifPresent(engine -> {
                        throw Exit.USAGE.because("cli.clientOfEngine", engine);
                    }));
        }
    }

    private static Stream<String> entries(Scenario scenario) {
        return Stream.concat(
                scenario.producers().stream().map(p -> p.engine()),
                scenario.consumers().stream().map(c -> c.engine()));
    }

    /** Finds out before the first run what would end the second. */
    static void check(List<TurnSide> sides, RunCommand command) {
        if (!sides.get(0).cluster()) {
            sides.forEach(TurnSide::checkJar);
            return;
        }
        List<ClusterConnection> connections =
                sides.stream().map(side -> side.connection(command.cluster)).toList();
        List<String> ids = connections.stream()
                .map(connection -> connection.check().clusterId())
                .toList();
        if (ids.get(0).equals(ids.get(1))) {
            command.say(Sentence.of("cli.sameCluster", ids.get(0)));
        }
    }

    private void checkJar() {
        try (JarFile jar = new JarFile(value)) {
            Exit.USAGE.when(jar.getEntry(ANY) == null, "cli.noClientBuild", value);
            Exit.USAGE.when(jar.getEntry(SINCE_4_1) == null, "cli.olderClientBuild", value);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "cli.noClientBuild", value);
        }
    }

    private ClusterConnection connection(ClusterOptions options) {
        Exit.USAGE.when(isFile() && options.commandConfig != null, "cli.configTwice", value);
        return isFile()
                ? ClusterConnection.of(null, Path.of(value), options.commandProperties)
                : ClusterConnection.of(value, options.commandConfig, options.commandProperties);
    }

    /** An address has no slash, and what has one is not there as a file by mistake. */
    private boolean isFile() {
        return value.contains("/") || Files.exists(Path.of(value));
    }

    /** What the command gets beside what was typed. */
    List<String> options(List<String> typed) {
        if (cluster) {
            return List.of(isFile() ? "--command-config" : "--bootstrap-server", value);
        }
        // The null broker that it would take to warm up fits one version of the client: both sides do without it.
        boolean asked = typed.stream().anyMatch(word -> word.startsWith(SelfWarmupOption.NAME));
        return asked ? List.of() : List.of(SelfWarmupOption.NAME, "0s");
    }

    /** The class path of the run. */
    String classPath(String usual) {
        return cluster ? usual : Path.of(value).toAbsolutePath() + File.pathSeparator + usual;
    }
}
