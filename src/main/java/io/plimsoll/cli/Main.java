package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.text.Language;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The entry point: dispatches to one class a command and turns failures into one sentence and an exit code. */
@Command(
        name = "plimsoll",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunCommand.class,
            CeilingCommand.class,
            LabCommand.class,
            ReportCommand.class,
            CompareCommand.class,
            UiCommand.class,
            VerifyCommand.class,
            ScenariosCommand.class,
            HostCommand.class,
            CalibrateCommand.class,
            AgentCommand.class,
            FleetCommand.class,
            NullBrokerCommand.class,
            TopicCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class,
            ProducerPerfCommand.class,
            ConsumerPerfCommand.class,
            EndToEndLatencyCommand.class,
            ImportCommand.class,
            OmbCommand.class
        })
public final class Main {

    @Option(names = "--debug", scope = ScopeType.INHERIT)
    boolean debug;

    private Main() {}

    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Runs a command line and returns its exit code; everything that {@link #main} does except ending the JVM. */
    public static int execute(String... args) {
        CommandLine commandLine = commandLine(language(System.getenv()));
        if (args.length == 0) {
            commandLine.usage(System.out);
            return Exit.USAGE.code();
        }
        return commandLine.execute(args);
    }

    /** The language of help, as the environment of the process has it. */
    static Language language(Map<String, String> environment) {
        return Stream.of("LC_ALL", "LC_MESSAGES", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(locale -> !locale.isEmpty())
                .findFirst()
                .filter(locale -> locale.startsWith(Language.ZH.code()))
                .map(chinese -> Language.ZH)
                .orElse(Language.EN);
    }

    /**
     * A command line of its own, so that a test can give it writers of its own.
     *
     * @param language of its help, whose words are in {@code help.properties}
     */
    static CommandLine commandLine(Language language) {
        Main main = new Main();
        CommandLine commandLine = new CommandLine(main);
        LabFaultCommands.addTo(commandLine.getSubcommands().get("lab"));
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpAutoWidth(true);
        complete(commandLine);
        HelpText.hide(
                commandLine.getSubcommands().get("ceiling"),
                "--abort-on-fail",
                "--ab",
                "--pairs",
                "--fail-on-regression",
                "--dry-run");
        Locale locale = language == Language.ZH ? Locale.CHINESE : Locale.ROOT;
        commandLine.setResourceBundle(ResourceBundle.getBundle("help", locale));
        HelpText.apply(commandLine);
        commandLine.setParameterExceptionHandler(Main::usageError);
        commandLine.setExecutionExceptionHandler((e, cmd, parsed) -> failure(e, cmd, main.debug));
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

    private static int usageError(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("plimsoll: " + Arguments.scrubbed(message(e), args));
        Optional<String> command = meantCommand(e);
        if (command.isPresent()) {
            err.println("Did you mean: " + command.get() + "?");
        } else {
            CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        }
        err.println("Try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        return Exit.USAGE.code();
    }

    /**
     * Picocli's own sentence on {@code KEY=VALUE} says neither which key nor which value the option takes, and that on a
     * command speaks of an index.
     */
    private static String message(ParameterException e) {
        boolean pair = e.getArgSpec() instanceof OptionSpec option
                && Map.class.isAssignableFrom(option.type())
                && e.getValue() != null
                && !e.getValue().contains("=");
        if (e instanceof CommandLine.UnmatchedArgumentException unmatched
                && !e.getCommandLine().getSubcommands().isEmpty()
                && !unmatched.getUnmatched().get(0).startsWith("-")) {
            return "There is no command '" + unmatched.getUnmatched().get(0) + "'.";
        }
        return pair
                ? ((OptionSpec) e.getArgSpec()).longestName() + ": expected "
                        + ((OptionSpec) e.getArgSpec()).paramLabel() + ", found '" + e.getValue() + "'"
                : e.getMessage();
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

    private static int failure(Exception e, CommandLine cmd, boolean debug) {
        if (e instanceof PlimsollException known) {
            known.getMessage().lines().forEach(line -> cmd.getErr().println("plimsoll: " + line));
            if (debug) {
                e.printStackTrace(cmd.getErr());
            }
            return known.exit().code();
        }
        cmd.getErr().println("plimsoll: internal error: " + e + " (run again with --debug and report it)");
        if (debug) {
            e.printStackTrace(cmd.getErr());
        }
        return Exit.INTERNAL.code();
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"plimsoll " + ToolInfo.version() + " (" + ToolInfo.commit() + ")"};
        }
    }
}
