package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.bundle.UnpackedBundle;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.report.Live;
import io.plimsoll.report.Look;
import io.plimsoll.report.Text;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.run.guards.LoadLimits.Consent;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base of all commands, with the options and dialogs that several commands share. Used by the main thread. */
@Command(mixinStandardHelpOptions = true)
abstract class PlimsollCommand implements Callable<Integer> {
    @Spec
    protected CommandSpec spec;

    private final List<UnpackedBundle> unpacked = new ArrayList<>();

    abstract Exit perform() throws Exception;

    @Override
    public final Integer call() throws Exception {
        Arguments.exposingSecrets(spec).forEach(option -> say(Sentence.of("cli.secretInSight", option)));
        try {
            Exit exit = perform();
            out().flush();
            err().flush();
            return exit.code();
        } finally {
            unpacked.forEach(UnpackedBundle::close);
        }
    }

    /** The path itself or, if it is a bundle, the directories of its runs. They exist until the command ends. */
    List<Path> runsAt(Path path) {
        Path above = path.getParent();
        if (above != null && UnpackedBundle.isAt(above)) {
            return unpack(above).runs().stream()
                    .filter(run -> run.endsWith(path.getFileName()))
                    .toList();
        }
        return UnpackedBundle.isAt(path) ? unpack(path).runs() : List.of(path);
    }

    /** Unpacks a bundle; its directories exist until the command ends. */
    UnpackedBundle unpack(Path file) {
        UnpackedBundle bundle = UnpackedBundle.open(file);
        unpacked.add(bundle);
        return bundle;
    }

    /** The only run at a path. {@code FILE/RUN} names one of several runs in a bundle. */
    Path runAt(Path path) {
        List<Path> runs = runsAt(path);
        List<Path> names = runs.stream().map(Path::getFileName).toList();
        Exit.USAGE.when(runs.size() != 1, "cli.bundle.several", path, runs.size(), names);
        return runs.get(0);
    }

    protected PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected PrintWriter err() {
        return spec.commandLine().getErr();
    }

    protected Language language() {
        return ((Main) spec.root().userObject()).language();
    }

    protected Look look() {
        return Live.look(environment(), language());
    }

    /** The environment of the process, with the typed options applied. */
    Map<String, String> environment() {
        return ((Main) spec.root().userObject()).environment();
    }

    /** Prints a message on standard error. */
    protected void say(Sentence sentence) {
        tell("plimsoll: " + printable(sentence));
    }

    protected void say(String key, @Nullable Object... arguments) {
        say(Sentence.of(key, arguments));
    }

    /** Prints a message on standard error, without the program name. */
    void tell(Sentence sentence) {
        tell(printable(sentence));
    }

    protected void tell(String text) {
        err().println(Live.fittedError(text, environment()));
        err().flush();
    }

    protected void print(String key, @Nullable Object... arguments) {
        print(Sentence.of(key, arguments));
    }

    protected void print(Sentence sentence) {
        printLine(printable(sentence));
    }

    /** The text of a sentence without control characters, which names from a cluster or a bundle can contain. */
    private String printable(Sentence sentence) {
        return sentence.in(language()).lines().map(Text::printable).collect(Collectors.joining("\n"));
    }

    /** Prints a text, wrapped to the width of a terminal. */
    protected void printLine(String text) {
        out().println(Live.fitted(text, environment()));
    }

    /** @throws ParameterException if the regular expression is invalid */
    protected Pattern pattern(String name, String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw mistake("cli.notARegex", name, text, e.getDescription());
        }
    }

    /** A usage error, printed with a pointer to the help. */
    protected ParameterException mistake(Sentence what) {
        return new ParameterException(spec.commandLine(), what.in(language()));
    }

    protected ParameterException mistake(String key, @Nullable Object... arguments) {
        return mistake(Sentence.of(key, arguments));
    }

    /** Whether the option was given on the command line. */
    boolean isTyped(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    /** @throws ParameterException with this sentence if the condition is false */
    protected void require(boolean condition, String key, @Nullable Object... arguments) {
        if (!condition) {
            throw mistake(Sentence.of(key, arguments));
        }
    }

    /** @param wanted key of the sentence for the expected value, with its arguments */
    protected void expect(
            boolean condition, String option, @Nullable Object given, String wanted, Object... arguments) {
        require(condition, "cli.expected", option, Sentence.of(wanted, arguments), given);
    }

    protected <T, R> R read(String option, T text, Function<T, R> reader) {
        try {
            return reader.apply(text);
        } catch (InvalidValueException e) {
            throw mistake(Sentence.of("text.at", option, e.sentence()));
        }
    }

    /** A usage error for a missing subcommand, which lists the subcommands. */
    protected ParameterException withoutSubcommand() {
        List<String> names = spec.subcommands().entrySet().stream()
                .filter(command ->
                        !command.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
        return mistake(Sentence.of("cli.sayWhat", spec.name(), Sentence.or(names)));
    }

    /** A readable reason why a write failed. */
    protected static @Nullable Object reason(IOException e) {
        return e instanceof NoSuchFileException
                ? Sentence.of("cli.noSuchDirectory")
                : e instanceof AccessDeniedException ? Sentence.of("cli.permissionDenied") : e.getMessage();
    }

    /**
     * Writes a file. An existing file keeps its permissions and, after a failure such as a full disk, its content.
     *
     * @throws PlimsollException {@link Exit#USAGE} if this fails
     */
    static void replace(Path file, String text) {
        try {
            boolean exists = Files.exists(file);
            Path real = exists ? file.toRealPath() : file;
            if (exists && !Files.isWritable(real)) {
                // The move would replace even a read-only file.
                throw new AccessDeniedException(real.toString());
            }
            Path next = real.resolveSibling("." + real.getFileName() + ".tmp");
            if (exists && PrivateFiles.knownAt(real)) {
                PrivateFiles.file(next);
                Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(real));
            }
            PrivateFiles.replace(real, next, text);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "cli.cannotWrite", file, reason(e));
        }
    }

    abstract static class Group extends PlimsollCommand {
        @Override
        Exit perform() {
            throw withoutSubcommand();
        }
    }

    /** Connection options of all commands that use a cluster, as in Kafka's tools. */
    public static final class ClusterOptions {
        @Spec(Spec.Target.MIXEE)
        CommandSpec command;

        @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT[,...]")
        String bootstrapServer;

        @Option(names = "--command-config", paramLabel = "FILE")
        Path commandConfig;

        @Option(names = "--command-property", paramLabel = "NAME=VALUE")
        List<String> commandProperties = new ArrayList<>();

        /** The connection settings, not yet tested. */
        public ClusterConnection connection() {
            return ClusterConnection.of(bootstrapServer, commandConfig, commandProperties);
        }

        /** Empty if no option names a cluster. */
        Optional<ClusterConnection> connectionIfNamed() {
            boolean named = bootstrapServer != null || commandConfig != null || !commandProperties.isEmpty();
            return named ? Optional.of(connection()) : Optional.empty();
        }

        /** The connection settings, after a warning for each property that Kafka's clients ignore. */
        ClusterConnection warnedConnection() {
            ClusterConnection connection = connection();
            ClientProperties.unknownToAll(connection.properties())
                    .forEach(((PlimsollCommand) command.userObject())::say);
            return connection;
        }

        /** As {@link #warnedConnection}, after a preflight check that the cluster responds. */
        public ClusterConnection checkedConnection() {
            ClusterConnection connection = warnedConnection();
            connection.check();
            return connection;
        }
    }

    /** Options for the destination of rendered text. */
    public static final class OutputOptions {
        @Option(names = "--out", paramLabel = "FILE")
        Path out;

        Look look(Look terminal) {
            return out == null ? terminal : terminal.uncolored();
        }

        /** Writes the text to the file and prints the file's path, or prints the text without a file. */
        public void write(String text, PrintWriter stdout) {
            if (out == null) {
                stdout.print(text);
            } else {
                try {
                    Files.writeString(out, text);
                } catch (IOException e) {
                    throw cannotWrite(out, e);
                }
                stdout.println(out);
            }
            stdout.flush();
        }

        static PlimsollException cannotWrite(Path file, IOException e) {
            return Exit.USAGE.because(e, "cli.cannotWriteOut", file, reason(e));
        }
    }

    /** The relative deterioration that a comparison tolerates. */
    static final class Tolerance {
        @Option(names = "--fail-on-regression", paramLabel = "PERCENT")
        String given;

        boolean asked() {
            return given != null;
        }

        OptionalDouble share() {
            if (!asked()) {
                return OptionalDouble.empty();
            }
            try {
                double share = Quantities.ratio(given);
                Exit.USAGE.when(share >= 1, "cli.notATolerance", given);
                return OptionalDouble.of(share);
            } catch (InvalidValueException e) {
                throw Exit.USAGE.because("cli.notATolerance", given);
            }
        }

        static Exit exit(Comparison comparison) {
            Comparison.Gate gate = comparison.gate();
            if (gate == null || gate.passed()) {
                return Exit.PASSED;
            }
            return gate.regressions().isEmpty() ? Exit.INVALID_MEASUREMENT : Exit.REGRESSION;
        }
    }

    /**
     * Asks the user on the terminal. The launcher selects the JDK's old console, so no console exists without a
     * terminal.
     */
    static final class Asking {
        /** Consent through {@code --yes} or a question on the terminal, which is asked only once for the same findings. */
        static Consent consent(PlimsollCommand command, boolean yes) {
            if (yes) {
                return Consent.GIVEN;
            }
            Set<Sentence> granted = new HashSet<>();
            return beyond -> {
                if (granted.containsAll(beyond)) {
                    return true;
                }
                if (terminal().isEmpty()) {
                    return false;
                }
                beyond.forEach(command::say);
                if (!isGranted(command)) {
                    // The findings were already printed.
                    throw Exit.USAGE.because("cli.notGranted");
                }
                granted.addAll(beyond);
                return true;
            };
        }

        private static Optional<Console> terminal() {
            return Optional.ofNullable(System.console());
        }

        /** A reader of the terminal's input; empty without a terminal. */
        static Optional<BufferedReader> answers() {
            return terminal().map(console -> new BufferedReader(console.reader()));
        }

        static boolean isGranted(PlimsollCommand command) {
            Language language = command.language();
            return terminal()
                    .filter(console -> isYes(
                            language,
                            console.readLine("%s ", Sentence.of("cli.goOn").in(language))))
                    .isPresent();
        }

        static boolean isYes(Language language, @Nullable String answer) {
            return answer != null
                    && List.of(Sentence.of("cli.goOn.yes").in(language).split("\\|"))
                            .contains(answer.strip().toLowerCase(Locale.ROOT));
        }
    }
}
