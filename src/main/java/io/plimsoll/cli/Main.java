package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.cli.LabCommand.LabFaultCommands;
import io.plimsoll.cli.PerfCommand.EndToEndLatencyCommand;
import io.plimsoll.cli.PerfCommand.ProducerPerfCommand;
import io.plimsoll.cli.ReadPerfCommand.ConsumerPerfCommand;
import io.plimsoll.cli.ReadPerfCommand.ShareConsumerPerfCommand;
import io.plimsoll.cli.ReportCommand.AdviseCommand;
import io.plimsoll.cli.UiOptions.UiCommand;
import io.plimsoll.report.Live;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.text.Wording;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The entry point: dispatches to one class a command and turns failures into one sentence and an exit code. */
@Command(
        name = "plimsoll",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND")
public final class Main implements Callable<Integer> {
    private static final List<Class<? extends PlimsollCommand>> COMMANDS = List.of(
            RunCommand.class,
            NewCommand.class,
            CeilingCommand.class,
            CapacityCommand.class,
            LabCommand.class,
            ReportCommand.class,
            CompareCommand.class,
            HistoryCommand.class,
            AdviseCommand.class,
            UiCommand.class,
            VerifyCommand.class,
            ScenariosCommand.class,
            UpgradeScenarioCommand.class,
            HostCommand.class,
            ProbeCommand.class,
            CalibrateCommand.class,
            AgentCommand.class,
            FleetCommand.class,
            NullBrokerCommand.class,
            CleanCommand.class,
            LagCommand.class,
            CaptureCommand.class,
            WatchCommand.class,
            TopicCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class,
            ProducerPerfCommand.class,
            ConsumerPerfCommand.class,
            ShareConsumerPerfCommand.class,
            EndToEndLatencyCommand.class,
            ImportCommand.class,
            OmbCommand.class);

    @Option(names = "--debug", scope = ScopeType.INHERIT)
    boolean debug;

    @Option(names = "--classpath", scope = ScopeType.INHERIT, paramLabel = "DIR")
    List<Path> classpath = new ArrayList<>();

    @Option(names = LANG, scope = ScopeType.INHERIT, paramLabel = "LANGUAGE")
    String lang;

    @Option(names = PLAIN, scope = ScopeType.INHERIT)
    boolean plain;

    @Spec
    CommandSpec spec;

    private static final String LANG = "--lang";
    private static final String PLAIN = "--plain";
    private final Language language;

    private Main(Language language) {
        this.language = language;
    }

    public static void main(String[] args) {
        // Some locales have digits of their own, which no broker takes in a topic's name, and no reader in a scenario.
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
        int code = execute(args);
        if (code == Exit.PASSED.code() && isCutOff()) {
            System.err.println("plimsoll: " + Sentence.of("cli.cutOff").in(language(args)));
            code = Exit.INTERNAL.code();
        }
        System.exit(code);
    }

    /** Whether standard output did not take all that was printed, though nobody who reads it has had enough. */
    private static boolean isCutOff() {
        try {
            return System.out.checkError()
                    && !Files.readSymbolicLink(Path.of("/proc/self/fd/1"))
                            .toString()
                            .matches("(pipe|socket):.*");
        } catch (IOException e) {
            return false;
        }
    }

    /** Runs a command line and returns its exit code; everything that {@link #main} does except ending the JVM. */
    public static int execute(String... args) {
        // Nothing typed needs no command's options, either.
        CommandLine commandLine = commandLine(language(args), args.length == 0 ? new String[] {""} : args);
        commandLine.setOut(new PrintWriter(new CleanWriter(commandLine.getOut()), true));
        commandLine.setErr(new PrintWriter(new CleanWriter(commandLine.getErr()), true));
        return commandLine.execute(args);
    }

    /** Without a command: what is here, and what may come next. */
    @Override
    public Integer call() {
        new Here(Path.of(""), spec.commandLine().getOut(), Live.look(environment(), language())).show();
        return Exit.PASSED.code();
    }

    Language language() {
        return Language.of(lang).orElse(language);
    }

    Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        if (plain) {
            environment.put(Live.PLAIN, PLAIN);
        }
        return environment;
    }

    /** Known before anything is parsed, for help and for mistakes in the command; otherwise as the environment asks. */
    static Language language(String[] args) {
        String typed = String.join("\0", args).replace(LANG + "\0", LANG + "=");
        return Stream.of(typed.split("\0"))
                .filter(word -> word.startsWith(LANG + "="))
                .flatMap(word -> Language.of(word.substring(LANG.length() + 1)).stream())
                .reduce((earlier, later) -> later)
                .orElseGet(() -> Language.of(System.getenv()));
    }

    /**
     * A command line of its own, so that a test can give it writers of its own.
     *
     * @param language of its help, whose words are in {@code help.properties}, and of what it says
     * @param typed what it will read: of commands that are not among it only the names are made, since all their options
     *     take a third of a second; nothing makes all of them whole
     */
    static CommandLine commandLine(Language language, String... typed) {
        Predicate<String> needed = typed.length == 0 ? name -> true : List.of(typed)::contains;
        Main main = new Main(language);
        CommandLine commandLine = new CommandLine(main);
        for (Class<?> each : COMMANDS) {
            String name = each.getAnnotation(Command.class).name();
            commandLine.addSubcommand(name, needed.test(name) ? each : CommandSpec.create());
        }
        if (needed.test("lab")) {
            LabFaultCommands.addTo(commandLine.getSubcommands().get("lab"), language);
        }
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpAutoWidth(true);
        complete(commandLine);
        if (List.of(typed).contains(PLAIN)
                || !System.getenv().getOrDefault(Live.PLAIN, "").isEmpty()) {
            commandLine.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
        }
        for (String search : List.of("ceiling", "capacity")) {
            HelpText.hide(
                    commandLine.getSubcommands().get(search),
                    "--abort-on-fail",
                    "--ab",
                    "--pairs",
                    "--fail-on-regression",
                    "--dry-run");
        }
        Locale locale = language == Language.ZH ? Locale.CHINESE : Locale.ROOT;
        commandLine.setResourceBundle(ResourceBundle.getBundle("help", locale));
        HelpText.apply(commandLine);
        commandLine.setParameterExceptionHandler(main::usageError);
        commandLine.setExecutionStrategy(main::run);
        commandLine.setExecutionExceptionHandler((e, cmd, parsed) -> main.failure(e, cmd));
        return commandLine;
    }

    /** Settings that all commands have in common and picocli would want to be told for each. */
    private static void complete(CommandLine commandLine) {
        CommandSpec spec = commandLine.getCommandSpec();
        spec.versionProvider(new Version());
        // Options in the order in which they are declared: related ones side by side.
        spec.usageMessage().sortOptions(false);
        spec.usageMessage().abbreviateSynopsis(spec.usageMessage().customSynopsis().length == 0);
        commandLine.getSubcommands().values().forEach(Main::complete);
    }

    private int run(CommandLine.ParseResult typed) {
        if (lang != null && Language.of(lang).isEmpty()) {
            List<String> codes =
                    Stream.of(Language.values()).map(Language::code).toList();
            return failure(
                    Exit.USAGE.because("cli.noLanguage", lang, codes),
                    typed.commandSpec().commandLine());
        }
        if (classpath.isEmpty()) {
            return new CommandLine.RunLast().execute(typed);
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            PluginClasses.load(classpath);
            return new CommandLine.RunLast().execute(typed);
        } catch (PlimsollException e) {
            return failure(e, typed.commandSpec().commandLine());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private int usageError(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("plimsoll: " + Arguments.scrubbed(message(e).in(language()), args));
        Optional<String> command = meantCommand(e);
        if (command.isPresent()) {
            err.println(Sentence.of("cli.meantCommand", command.get()).in(language()));
        } else {
            List<String> near =
                    e instanceof CommandLine.UnmatchedArgumentException unmatched ? near(unmatched) : List.of();
            if (!near.isEmpty()) {
                err.println(Sentence.of("cli.possible", near).in(language()));
            }
        }
        err.println(
                Sentence.of("cli.tryHelp", e.getCommandLine().getCommandSpec().qualifiedName())
                        .in(language()));
        return Exit.USAGE.code();
    }

    /**
     * Picocli's own sentence on {@code KEY=VALUE} says neither which key nor which value the option takes, that on a
     * command speaks of an index, and all of them are English.
     */
    private Sentence message(ParameterException e) {
        if (e instanceof CommandLine.UnmatchedArgumentException unmatched) {
            List<String> words = unmatched.getUnmatched();
            if (unmatched.isUnknownOption()) {
                return Sentence.of("cli.unknownOption", words.size(), words);
            }
            boolean command = !e.getCommandLine().getSubcommands().isEmpty()
                    && !words.get(0).startsWith("-");
            return command ? Sentence.of("cli.noCommand", words.get(0)) : inWords(e, "cli.tooMany", words);
        }
        if (e instanceof CommandLine.MissingParameterException missing) {
            List<ArgSpec> all = missing.getMissing();
            return all.stream().allMatch(arg -> arg.isOption() && arg.group() == null)
                    ? Sentence.of(
                            "cli.missingOption",
                            all.size(),
                            all.stream()
                                    .map(arg -> "'" + nameOf(arg) + "=" + arg.paramLabel() + "'")
                                    .toList())
                    : inWords(e, "cli.missing", all.stream().map(Main::nameOf).toList());
        }
        if (e instanceof CommandLine.OverwrittenOptionException twice) {
            return inWords(e, "cli.twice", nameOf(twice.getOverwritten()));
        }
        if (e.getArgSpec() == null || e.getValue() == null) {
            return Sentence.verbatim(e.getMessage());
        }
        boolean pair = e.getArgSpec() instanceof OptionSpec option
                && Map.class.isAssignableFrom(option.type())
                && !e.getValue().contains("=");
        String name = nameOf(e.getArgSpec());
        Class<?> type = e.getArgSpec().isMultiValue() ? null : e.getArgSpec().type();
        if (type == double.class || type == Double.class) {
            return Sentence.of("cli.expected", name, Sentence.of("cli.a.anyNumber"), e.getValue());
        }
        if (type == int.class || type == long.class || type == Integer.class || type == Long.class) {
            return Sentence.of("cli.expected", name, Sentence.of("scenario.a.whole"), e.getValue());
        }
        return pair
                ? Sentence.of("cli.expected", name, e.getArgSpec().paramLabel(), e.getValue())
                : inWords(e, "cli.noSuchValue", name, e.getValue());
    }

    /** What picocli says in English alone. */
    private Sentence inWords(ParameterException e, String key, Object... arguments) {
        return language() == Language.EN ? Sentence.verbatim(e.getMessage()) : Sentence.of(key, arguments);
    }

    private static String nameOf(ArgSpec arg) {
        return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
    }

    /** Picocli suggests only options that begin like the word. */
    private static List<String> near(CommandLine.UnmatchedArgumentException e) {
        Set<String> near = new LinkedHashSet<>();
        String word = e.getUnmatched().get(0).replaceFirst("=.*", "");
        if (e.isUnknownOption()) {
            Suggestions.nearest(
                            word,
                            e.getCommandLine().getCommandSpec().optionsMap().keySet())
                    .ifPresent(near::add);
        }
        near.addAll(e.getSuggestions());
        return List.copyOf(near);
    }

    /** Picocli compares the sets of letters, and takes {@code rnu} for anything but {@code run}. */
    private static Optional<String> meantCommand(ParameterException e) {
        return e instanceof CommandLine.UnmatchedArgumentException unmatched
                ? Suggestions.nearest(
                                unmatched.getUnmatched().get(0),
                                e.getCommandLine().getSubcommands().keySet())
                        .map(name -> e.getCommandLine().getCommandSpec().qualifiedName() + " " + name)
                : Optional.empty();
    }

    private int failure(Exception e, CommandLine cmd) {
        boolean known = e instanceof PlimsollException;
        Sentence what = known ? ((PlimsollException) e).sentence() : Sentence.of("cli.internalError", e);
        what.in(language()).lines().forEach(line -> cmd.getErr().println("plimsoll: " + line));
        Main.page(what, language()).ifPresent(page -> cmd.getErr()
                .println(Sentence.of("cli.readOn", page).in(language())));
        if (debug) {
            e.printStackTrace(cmd.getErr());
        }
        return (known ? ((PlimsollException) e).exit() : Exit.INTERNAL).code();
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {ToolInfo.told()};
        }
    }

    /** What is printed goes through here, so that no secret is. As thread-safe as the writer behind it. */
    static final class CleanWriter extends FilterWriter {
        CleanWriter(Writer out) {
            super(out);
        }

        @Override
        public void write(String text, int from, int length) throws IOException {
            out.write(Secrets.clean(text.substring(from, from + length)));
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            out.write(Secrets.clean(new String(text, from, length)));
        }
    }

    /** Classes of the user's own that client properties name, such as the login of a cloud provider. */
    static final class PluginClasses {
        private PluginClasses() {}

        /**
         * Has Kafka's clients find the classes in these directories and in the jars there. They look in the context class
         * loader of their thread, which each thread takes over from the one that made it.
         *
         * @throws PlimsollException {@link Exit#USAGE} naming the directory that is none, or holds no classes
         */
        static void load(List<Path> directories) {
            List<URL> urls = new ArrayList<>();
            for (Path directory : directories) {
                try (Stream<Path> files = Files.list(directory)) {
                    List<Path> jars = files.filter(file -> file.toString().endsWith(".jar"))
                            .sorted()
                            .toList();
                    for (Path jar : jars) {
                        urls.add(url(jar));
                    }
                    urls.add(url(directory));
                    Exit.USAGE.when(jars.isEmpty() && !holdsClasses(directory), "cli.noClassesIn", directory);
                } catch (IOException e) {
                    throw Exit.USAGE.because(e, "cli.noClassDirectory", directory);
                }
            }
            Thread thread = Thread.currentThread();
            // Never closed: its classes are used until the process ends.
            thread.setContextClassLoader(new URLClassLoader(urls.toArray(new URL[0]), Main.class.getClassLoader()));
        }

        private static boolean holdsClasses(Path directory) throws IOException {
            try (Stream<Path> files = Files.walk(directory)) {
                return files.anyMatch(file -> file.toString().endsWith(".class"));
            }
        }

        private static URL url(Path path) throws MalformedURLException {
            return path.toUri().toURL();
        }
    }

    static final String ROOM = "page";
    static final String BEGINS = "page.of.";
    private static final String HOME = "plimsoll.home";

    /**
     * A path such as {@code docs/guides/run-a-fleet.md#certificates}, from here if the program is there, otherwise with where it is;
     * empty if no page is about it.
     */
    static Optional<String> page(Sentence what, Language language) {
        Map<String, String> pages = Wording.of(ROOM, language);
        return keysOf(what)
                .flatMap(key -> pages.keySet().stream().filter((BEGINS + key)::startsWith))
                .max(Comparator.comparingInt(String::length))
                .map(pages::get)
                .map(page -> pageFrom(page, Path.of(""), System.getProperty(HOME)));
    }

    /** @param home where the program is, null if not known; others have files of these names, too */
    static String pageFrom(String page, Path here, String home) {
        String file = page.replaceFirst("#.*", "");
        try {
            boolean elsewhere = home != null
                    && Files.exists(Path.of(home, file))
                    && !(Files.exists(here.resolve(file)) && Files.isSameFile(here.resolve(file), Path.of(home, file)));
            return elsewhere ? Path.of(home, page).toString() : page;
        } catch (IOException e) {
            return page;
        }
    }

    private static Stream<String> keysOf(Object said) {
        if (said instanceof Collection<?> several) {
            return several.stream().flatMap(Main::keysOf);
        }
        return said instanceof Sentence sentence
                ? Stream.concat(Stream.ofNullable(sentence.key()), keysOf(sentence.arguments()))
                : Stream.empty();
    }
}
