package io.plimsoll.cli;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.cli.PlimsollCommand.ClusterOptions;
import io.plimsoll.cli.PlimsollCommand.Tolerance;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.report.ComparisonText;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.TurnsFile;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a command alternately on two clusters or with two client builds: A B, B A, A B, … Each run is a process with its
 * own guards and report, as if typed. Used by one thread and by the shutdown hook.
 */
final class RunsInTurns {
    /** Time after a signal: 4 s for the run to end cleanly, the remainder for the comparison. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Exit codes of complete runs, after which the next run can start; most severe first. */
    private static final List<Exit> WHOLE =
            List.of(Exit.AUDIT_FAILED, Exit.CHECK_FAILED, Exit.INVALID_MEASUREMENT, Exit.PASSED);

    private final RunCommand command;
    private final List<TurnSide> sides;
    private final int pairs;
    private final List<List<String>> runs = new ArrayList<>();
    private final Alternation<TurnProcess> turns = new Alternation<>(TurnProcess::end);

    RunsInTurns(RunCommand command, List<TurnSide> sides, int pairs) {
        this.command = command;
        this.sides = sides;
        this.pairs = pairs;
        sides.forEach(side -> runs.add(new ArrayList<>()));
    }

    /** @param name of the scenario */
    Exit perform(String name) {
        return Daemon.untilSignal(turns::stop, PATIENCE, () -> {}, () -> {
            if (command.dryRun) {
                return showPlans();
            }
            RunDirectory place = RunDirectory.place(command.results.out, name + "-ab", Instant.now());
            Exit exit = runAll(place);
            if (runs.stream().anyMatch(List::isEmpty)) {
                discard(place.path());
                return exit;
            }
            return show(place, exit);
        });
    }

    private Exit showPlans() {
        Exit exit = Exit.PASSED;
        for (TurnSide side : sides) {
            command.print("cli.runsOfSide", side.text(), pairs);
            TurnProcess process = turns.begin(TurnProcess.start(command, side, command.results.out));
            command.out().println(process.output());
            command.out().println();
            exit = exit == Exit.PASSED ? process.exit() : exit;
        }
        return exit;
    }

    private Exit runAll(RunDirectory place) {
        Exit mostSevere = Exit.PASSED;
        int all = pairs * sides.size();
        for (int turn = 0; turn < all; turn++) {
            int side = Alternation.side(turn / sides.size(), turn % sides.size(), sides.size());
            if (!command.results.silent()) {
                command.say("cli.turn", turn + 1, all, sides.get(side).text());
            }
            Exit exit = run(place, side);
            if (turns.stopping() || !WHOLE.contains(exit)) {
                command.say("cli.turnFailed", turn + 1, all, sides.get(side).text(), exit.code());
                return turns.stopping() ? Exit.INTERRUPTED : exit;
            }
            mostSevere = WHOLE.indexOf(exit) < WHOLE.indexOf(mostSevere) ? exit : mostSevere;
        }
        return mostSevere;
    }

    private Exit run(RunDirectory place, int side) {
        String label = String.valueOf((char) ('A' + side));
        Path out = place.path().resolve(label);
        List<String> before = names(out);
        TurnProcess process = turns.begin(TurnProcess.start(command, sides.get(side), out));
        process.output();
        Exit exit = process.exit();
        List<String> made = new ArrayList<>(names(out));
        made.removeAll(before);
        if (WHOLE.contains(exit) && made.size() == 1) {
            runs.get(side).add(label + "/" + made.get(0));
            new TurnsFile(sides.stream().map(TurnSide::text).toList(), runs).writeTo(place);
        }
        return exit;
    }

    private static List<String> names(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "cli.noTurn", e.getMessage());
        }
    }

    private Exit show(RunDirectory place, Exit ofRuns) {
        Comparison comparison = TurnsFile.compare(place.path(), List.of(), command.turns.tolerance.share());
        place.write("comparison.md", ComparisonText.markdown(comparison, command.language()));
        Path page = place.write("comparison.html", HtmlReport.render(comparison, command.language()));
        if (command.results.json) {
            command.out().print(Json.pretty(comparison));
        } else {
            command.out().println(ComparisonText.terminal(comparison, command.look()));
            command.out().println(page);
        }
        command.out().flush();
        return ofRuns == Exit.PASSED ? Tolerance.exit(comparison) : ofRuns;
    }

    /** Removes the directories of the comparison if no run began. */
    private void discard(Path place) {
        try {
            for (int side = 0; side < sides.size(); side++) {
                Files.deleteIfExists(place.resolve(String.valueOf((char) ('A' + side))));
            }
            Files.delete(place);
        } catch (DirectoryNotEmptyException e) {
            // Keep the files of a run that began, for diagnosis.
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "cli.noTurn", e.getMessage());
        }
    }

    /** Runs that alternate between sides until they are stopped. Used by the thread of the runs, and by the shutdown hook. */
    static final class Alternation<R> {
        private final Consumer<R> interrupt;
        private volatile boolean stopping;
        private volatile @Nullable R current;

        Alternation(Consumer<R> interrupt) {
            this.interrupt = interrupt;
        }

        /** The index of a side; every second round reverses the order. */
        static int side(int round, int turn, int sides) {
            return round % 2 == 0 ? turn : sides - 1 - turn;
        }

        boolean stopping() {
            return stopping;
        }

        R begin(R run) {
            current = run;
            if (stopping) {
                stop();
            }
            return run;
        }

        /** Interrupts the current run, so that the complete runs can be shown. */
        void stop() {
            stopping = true;
            Optional.ofNullable(current).ifPresent(interrupt);
        }
    }

    /** The typed command for one side, in a process with the options of this JVM. Used by one thread. */
    static final class TurnProcess {
        private static final String QUIET = "--quiet";

        /** Options of the comparison as a whole; they are not passed to its runs. */
        private static final Set<String> OURS = Set.of("--ab", "--pairs", "--fail-on-regression", "--out");

        /** Display options; each run prints its report, not JSON. */
        private static final Set<String> SILENT = Set.of("--json", QUIET);

        /** JVM option for a class-data archive. The archive does not fit the class path of another client build. */
        private static final String ARCHIVE = "-XX:SharedArchiveFile=";

        private final Process process;

        private TurnProcess(Process process) {
            this.process = process;
        }

        /** @param out parent of the run directory */
        static TurnProcess start(RunCommand command, TurnSide side, Path out) {
            List<String> words = new ArrayList<>();
            words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                    .filter(word -> side.cluster() || !word.startsWith(ARCHIVE))
                    .forEach(words::add);
            words.addAll(List.of("-cp", side.classPath(System.getProperty("java.class.path")), Main.class.getName()));
            words.addAll(arguments(Arguments.given(command.spec), command.spec.name(), side, out));
            try {
                return new TurnProcess(new ProcessBuilder(words)
                        .redirectInput(Redirect.INHERIT)
                        .redirectError(Redirect.INHERIT)
                        .start());
            } catch (IOException e) {
                throw Exit.INTERNAL.because(e, "cli.noTurn", e.getMessage());
            }
        }

        /**
         * @param typed the whole command line
         */
        static List<String> arguments(List<String> typed, String name, TurnSide side, Path out) {
            List<String> words = new ArrayList<>();
            Iterator<String> given = typed.iterator();
            while (given.hasNext()) {
                String word = given.next();
                if (OURS.contains(word)) {
                    given.next();
                } else if (!SILENT.contains(word) && OURS.stream().noneMatch(option -> word.startsWith(option + "="))) {
                    words.add(word);
                }
            }
            List<String> more = new ArrayList<>(typed.stream().anyMatch(SILENT::contains) ? List.of(QUIET) : List.of());
            more.addAll(List.of("--out", out.toString()));
            more.addAll(side.options(typed));
            words.addAll(words.indexOf(name) + 1, more);
            return words;
        }

        /** Waits for the complete standard output of the process: its report or its plan. */
        String output() {
            try {
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            } catch (IOException e) {
                throw Exit.INTERNAL.because(e, "cli.noTurn", e.getMessage());
            }
        }

        /** Waits for the process to end. */
        Exit exit() {
            try {
                return Exit.of(process.waitFor());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                process.destroy();
                throw Exit.INTERRUPTED.because(e, "cli.noTurn", e.getMessage());
            }
        }

        /** Sends SIGTERM. Unlike {@link Process#destroy}, this keeps the output of the process readable. */
        void end() {
            process.toHandle().destroy();
        }
    }

    /**
     * One side of a comparison of whole runs: a cluster or a build of Kafka's client.
     *
     * @param text for display, such as {@code cluster=kafka1:9092}
     */
    record TurnSide(String text, boolean cluster, String value) {
        private static final String CLUSTER = "cluster=";
        private static final String CLIENT = "client=";

        /** A class in every release of the client, and a class added in 4.1. */
        private static final String ANY = "org/apache/kafka/clients/producer/KafkaProducer.class";

        private static final String SINCE_4_1 = "org/apache/kafka/clients/consumer/CloseOptions.class";

        /** Whether {@code --ab} compares clusters or clients; neither {@code cluster} nor {@code client} is a scenario key. */
        static boolean isOne(String text) {
            return text.startsWith(CLUSTER) || text.startsWith(CLIENT);
        }

        /** Parses the sides. Jars are shown by file name if these names differ. */
        static List<TurnSide> of(List<String> texts) {
            List<TurnSide> whole = texts.stream().map(TurnSide::of).toList();
            List<TurnSide> named = whole.stream()
                    .map(s -> new TurnSide(CLIENT + Path.of(s.value()).getFileName(), s.cluster(), s.value()))
                    .toList();
            boolean distinct = named.stream().map(TurnSide::text).distinct().count() == texts.size();
            return whole.get(0).cluster() || !distinct ? whole : named;
        }

        static TurnSide of(String text) {
            return new TurnSide(text, text.startsWith(CLUSTER), text.substring(text.indexOf('=') + 1));
        }

        /** Rejects options that conflict with this side. */
        void checkOptions(RunCommand command, Plan plan) {
            Exit.USAGE.when(!command.ui.streams.isEmpty(), "cli.streamOfRuns");
            if (cluster) {
                Exit.USAGE.when(command.cluster.bootstrapServer != null, "cli.clusterTwice");
                Exit.USAGE.when(command.lab.asked(), "cli.labOrCluster");
                Exit.USAGE.when(command.observe.asked(), "cli.brokersOfOneSide");
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

        /** Checks both sides before the first run. */
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
            // Old clusters have no id.
            if (ids.get(0) != null && ids.get(0).equals(ids.get(1))) {
                command.say("cli.sameCluster", ids.get(0));
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
            boolean twice = ClusterConnection.isFile(value) && options.commandConfig != null;
            Exit.USAGE.when(twice, "cli.configTwice", value);
            return ClusterConnection.named(value, options.commandConfig, options.commandProperties);
        }

        /** Arguments that this side adds to its run. */
        List<String> options(List<String> typed) {
            if (cluster) {
                return List.of(ClusterConnection.isFile(value) ? "--command-config" : "--bootstrap-server", value);
            }
            // The warm-up's null broker supports only one client version, so both sides skip it.
            boolean asked = typed.stream().anyMatch(word -> word.startsWith(RunCommand.SelfWarmup.NAME));
            return asked ? List.of() : List.of(RunCommand.SelfWarmup.NAME, "0s");
        }

        String classPath(String usual) {
            return cluster ? usual : Path.of(value).toAbsolutePath() + File.pathSeparator + usual;
        }
    }
}
