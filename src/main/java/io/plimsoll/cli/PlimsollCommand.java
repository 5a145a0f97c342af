package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.report.Live;
import io.plimsoll.report.Look;
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

/** Base of all commands. Used by the main thread. */
@Command(mixinStandardHelpOptions = true)
abstract class PlimsollCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

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

    Language language() {
        return ((Main) spec.root().userObject()).language();
    }

    Look look() {
        return Live.look(environment(), language());
    }

    /** The environment of the process, with the typed options applied. */
    Map<String, String> environment() {
        return ((Main) spec.root().userObject()).environment();
    }

    /** Prints a message on standard error. */
    void say(Sentence sentence) {
        tell("plimsoll: " + sentence.in(language()));
    }

    void say(String key, Object... arguments) {
        say(Sentence.of(key, arguments));
    }

    void tell(String text) {
        err().println(text);
        err().flush();
    }

    void print(String key, Object... arguments) {
        out().println(Sentence.of(key, arguments).in(language()));
    }

    /** A usage error, printed with a pointer to the help. */
    ParameterException mistake(Sentence what) {
        return new ParameterException(spec.commandLine(), what.in(language()));
    }

    ParameterException mistake(String key, Object... arguments) {
        return mistake(Sentence.of(key, arguments));
    }

    /** Whether the option is on the command line. */
    boolean isTyped(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    /** @throws ParameterException with this sentence if the condition is false */
    void require(boolean condition, String key, Object... arguments) {
        if (!condition) {
            throw mistake(Sentence.of(key, arguments));
        }
    }

    /** @param wanted key of the expected value, with its arguments */
    void expect(boolean condition, String option, Object given, String wanted, Object... arguments) {
        require(condition, "cli.expected", option, Sentence.of(wanted, arguments), given);
    }

    <T, R> R read(String option, T text, Function<T, R> reader) {
        try {
            return reader.apply(text);
        } catch (InvalidValueException e) {
            throw mistake(Sentence.of("text.at", option, e.sentence()));
        }
    }

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
