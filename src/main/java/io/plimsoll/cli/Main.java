package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.LinuxRoot;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.cli.BundleCommand.GalleryCommand;
import io.plimsoll.cli.CeilingCommand.CapacityCommand;
import io.plimsoll.cli.ReportCommand.AdviseCommand;
import io.plimsoll.cli.ReportCommand.ExplainCommand;
import io.plimsoll.cli.ScenariosCommand.UpgradeScenarioCommand;
import io.plimsoll.cli.UiOptions.UiCommand;
import io.plimsoll.report.Live;
import io.plimsoll.report.Text;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.text.Wording;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
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
import java.util.Objects;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The entry point: dispatches to one class per command and turns failures into a sentence and an exit code. */
@Command(name = "plimsoll", mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
public final class Main implements Callable<Integer> {
    /** Commands with their synonyms from other tools and everyday use. */
    private static final String SYNONYMS = """
            run bench load load-test loadtest perf perf-test replay stress test
            ceiling limit max maximum search throughput
            capacity plan size sizing
            new create init
            report result results show
            compare diff
            history trend
            verify audit
            bundle export publish share
            ui dashboard serve web
            probe check features
            watch availability monitor
            lag consumer-groups group groups kafka-consumer-groups
            lab broker cluster
            lab+start start up
            lab+stop down stop
            agent worker workers
            end-to-end-latency e2e-latency kafka-end-to-end-latency latency
            topic topics
            produce console-producer
            consume console-consumer
            """;

    @Option(names = "--debug", scope = ScopeType.INHERIT)
    boolean debug;

    @Option(names = "--classpath", scope = ScopeType.INHERIT, paramLabel = "DIR")
    List<Path> classpath = new ArrayList<>();

    @Option(names = LANG, scope = ScopeType.INHERIT, paramLabel = "en|zh")
    String lang;

    @Option(names = PLAIN, scope = ScopeType.INHERIT)
    boolean plain;

    @Spec
    CommandSpec spec;

    private static final String LANG = "--lang";
    private static final String PLAIN = "--plain";
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");
    private static final Set<Class<?>> WHOLE =
            Set.of(short.class, Short.class, int.class, Integer.class, long.class, Long.class);
    private final Language language;

    private Main(Language language) {
        this.language = language;
    }

    public static void main(String[] args) {
        // Some locales have their own digits, which are invalid in topic names and scenarios.
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
        int code = execute(args);
        if (code == Exit.PASSED.code() && isCutOff()) {
            System.err.println("plimsoll: " + Sentence.of("cli.cutOff").in(language(args)));
            code = Exit.INTERNAL.code();
        }
        System.exit(code);
    }

    /** Whether writing to standard output failed for a reason other than a pipe closed by its reader. */
    private static boolean isCutOff() {
        try {
            return System.out.checkError()
                    && !Files.readSymbolicLink(LinuxRoot.PATH.resolve("proc/self/fd/1"))
                            .toString()
                            .matches("(pipe|socket):.*");
        } catch (IOException e) {
            return false;
        }
    }

    /** Runs a command line and returns its exit code, without ending the JVM. */
    public static int execute(String... typed) {
        String[] args = meant(typed);
        // The welcome screen needs no options of any command.
        CommandLine commandLine = commandLine(language(args), args.length == 0 ? new String[] {""} : args);
        commandLine.setOut(new PrintWriter(new CleanWriter(commandLine.getOut()), true));
        commandLine.setErr(new PrintWriter(new CleanWriter(commandLine.getErr()), true));
        return commandLine.execute(args);
    }

    /** {@code run --help} for {@code help run}. */
    static String[] meant(String... typed) {
        return typed.length > 0 && typed[0].equals("help")
                ? Stream.concat(Stream.of(typed).skip(1), Stream.of("--help")).toArray(String[]::new)
                : typed;
    }

    /** Shows the welcome screen. */
    @Override
    public Integer call() {
        new WelcomeScreen(Path.of(""), spec.commandLine().getOut(), Live.look(environment(), language())).show();
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

    /** Determines the language before parsing: from the arguments, otherwise from the environment. */
    static Language language(String[] args) {
        String typed = String.join("\0", args).replace(LANG + "\0", LANG + "=");
        return Stream.of(typed.split("\0"))
                .filter(word -> word.startsWith(LANG + "="))
                .flatMap(word -> Language.of(word.substring(LANG.length() + 1)).stream())
                .reduce((earlier, later) -> later)
                .orElseGet(() -> Language.of(System.getenv()));
    }

    /**
     * Creates a command line; tests can set their own writers.
     * @param language of help and messages
     * @param typed the arguments to parse. Only the named command gets its options, because creating all options takes
     *     a third of a second; without arguments, all commands are complete.
     */
    static CommandLine commandLine(Language language, String... typed) {
        Predicate<String> needed = typed.length == 0 ? name -> true : List.of(typed)::contains;
        Main main = new Main(language);
        // Otherwise picocli warns about the second help option of a command.
        CommandLine.tracer().setLevel(CommandLine.TraceLevel.OFF);
        CommandLine commandLine = new CommandLine(main);
        for (CommandGroup group : CommandGroup.values()) {
            for (Class<? extends PlimsollCommand> each : group.commands) {
                String name = CommandGroup.name(each);
                commandLine.addSubcommand(name, needed.test(name) ? ModuleCommand.of(each) : CommandSpec.create());
            }
        }
        DropInCommand.addTo(commandLine, typed);
        if (needed.test("lab")) {
            LabCommand.addFaults(subcommand(commandLine, "lab"), language);
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
                    subcommand(commandLine, search),
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

    /** Applies settings that subcommands do not inherit in picocli. */
    private static void complete(CommandLine commandLine) {
        CommandSpec spec = commandLine.getCommandSpec();
        spec.versionProvider(() -> new String[] {ToolInfo.banner()});
        // Keep the declaration order, which groups related options.
        spec.usageMessage().sortOptions(false);
        spec.usageMessage().abbreviateSynopsis(spec.usageMessage().customSynopsis().length == 0);
        commandLine.getSubcommands().values().forEach(Main::complete);
    }

    private int run(CommandLine.ParseResult typed) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            Object[] codes = Stream.of(Language.values()).map(Language::code).toArray();
            boolean known = lang == null || Language.of(lang).isPresent();
            Exit.USAGE.when(!known, "cli.noLanguage", lang, List.of(codes));
            if (!classpath.isEmpty()) {
                loadPlugins(classpath);
            }
            return new CommandLine.RunLast().execute(typed);
        } catch (PlimsollException e) {
            return failure(e, typed.commandSpec().commandLine());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /**
     * Makes the user's classes and jars, such as a cloud provider's login module, available to Kafka clients. The
     * clients use the context class loader of their thread, which new threads inherit.
     * @throws PlimsollException {@link Exit#USAGE} with the directory that is missing or has no classes
     */
    private static void loadPlugins(List<Path> directories) {
        List<URL> urls = new ArrayList<>();
        for (Path directory : directories) {
            try (Stream<Path> files = Files.list(directory);
                    Stream<Path> all = Files.walk(directory)) {
                List<Path> jars = files.filter(file -> file.toString().endsWith(".jar"))
                        .sorted()
                        .toList();
                for (Path jar : jars) {
                    urls.add(jar.toUri().toURL());
                }
                urls.add(directory.toUri().toURL());
                boolean none =
                        jars.isEmpty() && all.noneMatch(file -> file.toString().endsWith(".class"));
                Exit.USAGE.when(none, "cli.noClassesIn", directory);
            } catch (IOException e) {
                throw Exit.USAGE.because(e, "cli.noClassDirectory", directory);
            }
        }
        // Not closed, because its classes are used until the process ends.
        ClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), Main.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
    }

    private int usageError(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        String text = "plimsoll: " + Arguments.scrubbed(message(e).in(language()), args);
        err.println(Live.fittedError(text, environment()));
        Optional<String> command = meantCommand(e);
        List<String> near = near(e);
        if (command.isPresent()) {
            err.println(Sentence.of("cli.meantCommand", command.get()).in(language()));
        } else if (!near.isEmpty()) {
            err.println(Sentence.of("cli.possible", near).in(language()));
        }
        String help = e.getCommandLine().getCommandSpec().qualifiedName();
        err.println(Sentence.of("cli.tryHelp", help).in(language()));
        return Exit.USAGE.code();
    }

    /**
     * A usage error in the user's language. Picocli's messages are in English, omit the expected {@code KEY=VALUE}, and
     * call a command an argument.
     */
    private Sentence message(ParameterException e) {
        if (e instanceof CommandLine.UnmatchedArgumentException unmatched) {
            List<String> words = unmatched.getUnmatched();
            if (unmatched.isUnknownOption()) {
                return Sentence.of("cli.unknownOption", words.size(), words);
            }
            boolean command = !e.getCommandLine().getSubcommands().isEmpty()
                    && !words.get(0).startsWith("-");
            return Sentence.of(command ? "cli.noCommand" : "cli.tooMany", command ? words.get(0) : words);
        }
        if (e instanceof CommandLine.MissingParameterException missing) {
            List<ArgSpec> all = missing.getMissing();
            if (all.stream().allMatch(arg -> arg.isOption() && arg.group() == null)) {
                List<String> options = all.stream()
                        .map(arg -> "'" + nameOf(arg) + "=" + arg.paramLabel() + "'")
                        .toList();
                boolean without = all.stream().allMatch(ArgSpec::required);
                return Sentence.of(without ? "cli.missingOption" : "cli.missingValue", all.size(), options);
            }
            List<String> names = all.stream().map(Main::nameOf).toList();
            return all.size() > 1
                    ? Sentence.of("cli.missingAny", Sentence.or(names))
                    : Sentence.of("cli.missing", names);
        }
        if (e instanceof CommandLine.MutuallyExclusiveArgsException) {
            // Only the message has the names.
            List<String> names = OPTION.matcher(String.valueOf(e.getMessage()))
                    .results()
                    .map(MatchResult::group)
                    .toList();
            return Sentence.of("cli.onlyOne", names);
        }
        if (e instanceof CommandLine.OverwrittenOptionException twice) {
            return Sentence.of("cli.twice", nameOf(twice.getOverwritten()));
        }
        if (e.getArgSpec() == null || e.getValue() == null) {
            return Sentence.verbatim(String.valueOf(e.getMessage()));
        }
        boolean pair = e.getArgSpec() instanceof OptionSpec option
                && Map.class.isAssignableFrom(option.type())
                && !e.getValue().contains("=");
        String name = nameOf(e.getArgSpec());
        Class<?>[] types = e.getArgSpec().auxiliaryTypes();
        Class<?> type = types.length > 1 ? null : types[0];
        if (type == double.class || type == Double.class) {
            return Sentence.of("cli.expected", name, Sentence.of("cli.a.anyNumber"), e.getValue());
        }
        if (type != null && WHOLE.contains(type)) {
            return Sentence.of("cli.expected", name, Sentence.of("scenario.a.whole"), e.getValue());
        }
        if (type != null && type.isEnum()) {
            List<String> values =
                    Stream.of(type.getEnumConstants()).map(Object::toString).toList();
            return Sentence.of("cli.expected", name, Sentence.or(values), e.getValue());
        }
        return pair
                ? Sentence.of("cli.expected", name, e.getArgSpec().paramLabel(), e.getValue())
                : Sentence.of("cli.noSuchValue", name, e.getValue());
    }

    private static String nameOf(ArgSpec arg) {
        return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
    }

    /** Options with similar names; picocli suggests only options with the same prefix. */
    private static List<String> near(ParameterException e) {
        if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)) {
            return List.of();
        }
        Set<String> near = new LinkedHashSet<>();
        if (unmatched.isUnknownOption()) {
            String word = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
            Set<String> options =
                    e.getCommandLine().getCommandSpec().optionsMap().keySet();
            Suggestions.nearest(word, options).ifPresent(near::add);
        }
        near.addAll(unmatched.getSuggestions());
        return List.copyOf(near);
    }

    /**
     * The command meant by a synonym or misspelling. Picocli compares only sets of letters and misses {@code run} for
     * {@code rnu}.
     */
    private static Optional<String> meantCommand(ParameterException e) {
        if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)) {
            return Optional.empty();
        }
        CommandLine at = e.getCommandLine();
        String word = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
        String here = at.getCommandSpec().qualifiedName() + " ";
        return synonym(word)
                .map(name -> at.getCommandSpec().root().qualifiedName() + " " + name)
                .filter(name -> name.startsWith(here))
                .or(() -> at.getSubcommands().entrySet().stream()
                        .filter(sub ->
                                sub.getValue().getCommandSpec().optionsMap().containsKey(word))
                        .findFirst()
                        .map(sub -> here + sub.getKey()))
                .or(() ->
                        Suggestions.nearest(word, at.getSubcommands().keySet()).map(name -> here + name));
    }

    private static Optional<String> synonym(String typed) {
        String word = typed.toLowerCase(Locale.ROOT).replaceFirst("\\.sh$", "");
        return SYNONYMS.lines()
                .map(line -> List.of(line.split(" ")))
                .filter(words -> words.indexOf(word) > 0)
                .map(words -> words.get(0).replace('+', ' '))
                .findFirst();
    }

    private int failure(Exception e, CommandLine cmd) {
        PlimsollException problem =
                e instanceof PlimsollException known ? known : Exit.INTERNAL.because(e, "cli.internalError", e);
        problem.sentence().in(language()).lines().forEach(line -> cmd.getErr()
                .println(Live.fittedError("plimsoll: " + Text.printable(line), environment())));
        page(problem.sentence(), language()).ifPresent(page -> cmd.getErr()
                .println(Sentence.of("cli.readOn", page).in(language())));
        if (debug) {
            e.printStackTrace(cmd.getErr());
        }
        return problem.exit().code();
    }

    /** A writer that removes secrets from all output. As thread-safe as the underlying writer. */
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

    static final String ROOM = "page";
    static final String BEGINS = "page.of.";
    private static final String HOME = "plimsoll.home";

    /**
     * The documentation page about a problem, such as {@code docs/guides/run-a-fleet.md#certificates}, relative to the
     * current directory, or in the program's directory; empty if no page covers the problem.
     */
    static Optional<String> page(Sentence what, Language language) {
        Map<String, String> pages = Wording.of(ROOM, language);
        return keysOf(what)
                .flatMap(key -> pages.keySet().stream().filter((BEGINS + key)::startsWith))
                .max(Comparator.comparingInt(String::length))
                .map(pages::get)
                .map(page -> pageFrom(page, Path.of(""), System.getProperty(HOME)));
    }

    static CommandLine subcommand(CommandLine of, String name) {
        return Objects.requireNonNull(of.getSubcommands().get(name), name);
    }

    /** @param home the program's directory; preferred, because {@code here} can have an unrelated file */
    static String pageFrom(String page, Path here, @Nullable String home) {
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

    /** All commands, in the groups and order of {@code plimsoll --help}. */
    enum CommandGroup {
        MEASURE(
                RunCommand.class,
                CeilingCommand.class,
                CapacityCommand.class,
                ScenariosCommand.class,
                NewCommand.class),
        ANALYZE(
                ReportCommand.class,
                CompareCommand.class,
                ModuleCommand.History.class,
                AdviseCommand.class,
                ExplainCommand.class,
                VerifyCommand.class,
                BundleCommand.class,
                GalleryCommand.class,
                SheetCommand.class,
                UiCommand.class),
        CLUSTER(
                ProbeCommand.class,
                WatchCommand.class,
                LagCommand.class,
                ModuleCommand.Capture.class,
                CleanCommand.class),
        LAB(LabCommand.class, NullBrokerCommand.class),
        FLEET(ModuleCommand.Agent.class, ModuleCommand.Fleet.class),
        REPLACEMENTS(
                ModuleCommand.ProducerPerf.class,
                ModuleCommand.ConsumerPerf.class,
                ModuleCommand.ShareConsumerPerf.class,
                ModuleCommand.EndToEndLatency.class,
                ModuleCommand.Omb.class,
                DropInCommand.class),
        UTILITIES(
                TopicCommand.class,
                ProduceCommand.class,
                ConsumeCommand.class,
                HostCommand.class,
                CalibrateCommand.class,
                SelfTestCommand.class,
                ModuleCommand.Import.class,
                UpgradeScenarioCommand.class,
                CompletionCommand.class);

        final List<Class<? extends PlimsollCommand>> commands;

        @SafeVarargs
        @SuppressWarnings("varargs") // The array is only copied.
        CommandGroup(Class<? extends PlimsollCommand>... commands) {
            this.commands = List.of(commands);
        }

        /** Key of the heading in {@code help.properties}. */
        String key() {
            return "usage.group." + name().toLowerCase(Locale.ROOT);
        }

        static String name(Class<? extends PlimsollCommand> command) {
            return command.getAnnotation(Command.class).name();
        }
    }
}
