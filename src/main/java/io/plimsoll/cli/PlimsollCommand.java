package io.plimsoll.cli;

import io.plimsoll.Exit;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The base of all commands: knows where to print, and ends with an exit code. Used by the main thread. */
@Command(mixinStandardHelpOptions = true)
abstract class PlimsollCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    /** Does what the command is for. */
    abstract Exit perform() throws Exception;

    @Override
    public final Integer call() throws Exception {
        Exit exit = perform();
        out().flush();
        err().flush();
        return exit.code();
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Tells the user at once, on standard error. */
    void say(Object text) {
        err().println("plimsoll: " + text);
        err().flush();
    }

    /** A mistake in the options, after which the help is offered. */
    ParameterException mistake(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    /** @throws ParameterException with this sentence if the condition does not hold */
    void require(boolean condition, String otherwise) {
        if (!condition) {
            throw mistake(otherwise);
        }
    }

    /** A command that only holds others. */
    abstract static class Group extends PlimsollCommand {
        @Override
        Exit perform() {
            String all = String.join(
                    ", ",
                    spec.subcommands().keySet().stream()
                            .filter(name -> !spec.subcommands()
                                    .get(name)
                                    .getCommandSpec()
                                    .usageMessage()
                                    .hidden())
                            .toList());
            throw mistake("say what to do: " + spec.name() + " " + all.replaceFirst(", (?=[^,]*$)", " or "));
        }
    }
}
