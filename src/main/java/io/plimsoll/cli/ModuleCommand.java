package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cli.Main.CommandGroup;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** A command of a module of its own, found as a {@link ServiceLoader service}. Its words are in the core. */
public abstract class ModuleCommand extends PlimsollCommand {
    protected abstract Exit execute();

    @Override
    final Exit perform() {
        return execute();
    }

    /** {@code plimsoll omb}: stands for the command of its module, and without the module refuses. */
    @Command(name = "omb")
    static final class Omb extends PlimsollCommand {
        @Unmatched
        List<String> words;

        @Override
        Exit perform() {
            throw Exit.USAGE.because("result.noOmb");
        }
    }

    /** The class of a command: from its module if it stands for one that is installed. */
    static Class<? extends PlimsollCommand> of(Class<? extends PlimsollCommand> command) {
        return command != Omb.class
                ? command
                : ServiceLoader.load(ModuleCommand.class, ModuleCommand.class.getClassLoader()).stream()
                        .<Class<? extends PlimsollCommand>>map(ServiceLoader.Provider::type)
                        .filter(each -> CommandGroup.name(each).equals(CommandGroup.name(command)))
                        .findFirst()
                        .orElse(command);
    }
}
