package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
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
        Arguments.givingAway(spec).forEach(option -> say(Sentence.of("cli.secretInSight", option)));
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

    /** The language that the environment asks for. */
    Language language() {
        return ((Main) spec.root().userObject()).language();
    }

    /** Tells the user at once, on standard error. */
    void say(Sentence sentence) {
        err().println("plimsoll: " + sentence.in(language()));
        err().flush();
    }

    /** Prints a sentence on standard output. */
    void print(String key, Object... arguments) {
        out().println(Sentence.of(key, arguments).in(language()));
    }

    /** A mistake in the options, after which the help is offered. */
    ParameterException mistake(Sentence what) {
        return new ParameterException(spec.commandLine(), what.in(language()));
    }

    /** @throws ParameterException with the sentence of this key if the condition does not hold */
    void require(boolean condition, String key, Object... arguments) {
        if (!condition) {
            throw mistake(Sentence.of(key, arguments));
        }
    }

    /** The value of an option. */
    <T, R> R read(String option, T text, Function<T, R> reader) {
        try {
            return reader.apply(text);
        } catch (InvalidValueException e) {
            throw mistake(Sentence.of("text.at", option, e.sentence()));
        }
    }

    /** A command that only holds others. */
    abstract static class Group extends PlimsollCommand {
        @Override
        Exit perform() {
            List<String> names = spec.subcommands().entrySet().stream()
                    .filter(command ->
                            !command.getValue().getCommandSpec().usageMessage().hidden())
                    .map(Map.Entry::getKey)
                    .toList();
            throw mistake(Sentence.of("cli.sayWhat", spec.name(), Sentence.or(names)));
        }
    }
}
