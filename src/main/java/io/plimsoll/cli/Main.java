package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The entry point: dispatches to one class a command and turns failures into one sentence and an exit code. */
@Command(
        name = "plimsoll",
        description = "Finds out how much load an Apache Kafka cluster carries, and says only what is true.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunCommand.class,
            HostCommand.class,
            NullBrokerCommand.class,
            TopicCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class
        })
public final class Main {

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Print stack traces.")
    boolean debug;

    private Main() {}

    public static void main(String[] args) {
        System.exit(execute(args));
    }

    /** Runs a command line and returns its exit code; everything that {@link #main} does except ending the JVM. */
    public static int execute(String... args) {
        CommandLine commandLine = commandLine();
        if (args.length == 0) {
            commandLine.usage(System.out);
            return Exit.USAGE.code();
        }
        return commandLine.execute(args);
    }

    /** A command line of its own, so that a test can give it writers of its own. */
    static CommandLine commandLine() {
        Main main = new Main();
        CommandLine commandLine = new CommandLine(main);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpAutoWidth(true);
        commandLine.setParameterExceptionHandler(Main::usageError);
        commandLine.setExecutionExceptionHandler((e, cmd, parsed) -> failure(e, cmd, main.debug));
        return commandLine;
    }

    private static int usageError(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("plimsoll: " + e.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        err.println("Try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        return Exit.USAGE.code();
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
