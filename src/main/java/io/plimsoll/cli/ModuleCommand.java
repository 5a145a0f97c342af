package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cli.Main.CommandGroup;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** A command of a module of its own, found as a {@link ServiceLoader service}. Its words are in the core. */
public abstract class ModuleCommand extends PlimsollCommand {
    protected abstract Exit execute() throws InterruptedException;

    @Override
    final Exit perform() throws InterruptedException {
        return execute();
    }

    /** A command of the module fleet. Of one service, all modules would share a file. */
    public abstract static class OfFleet extends ModuleCommand {}

    /** Stands for the command of a module, and without the module refuses. */
    abstract static class Absent extends PlimsollCommand {
        /** Reasons by command. */
        private static final Map<String, String> REASONS =
                Map.of("omb", "result.noOmb", "agent", "fleet.noModule", "fleet", "fleet.noModule");

        @Unmatched
        List<String> words;

        @Override
        Exit perform() {
            throw Exit.USAGE.because(REASONS.get(spec.name()));
        }
    }

    @Command(name = "omb")
    static final class Omb extends Absent {}

    @Command(name = "agent")
    static final class Agent extends Absent {}

    @Command(name = "fleet")
    static final class Fleet extends Absent {}

    /** The class of a command: from its module if it stands for one that is installed. */
    static Class<? extends PlimsollCommand> of(Class<? extends PlimsollCommand> command) {
        return !Absent.class.isAssignableFrom(command)
                ? command
                : Stream.of(ModuleCommand.class, OfFleet.class)
                        .flatMap(service -> ServiceLoader.load(service, ModuleCommand.class.getClassLoader()).stream())
                        .<Class<? extends PlimsollCommand>>map(ServiceLoader.Provider::type)
                        .filter(each -> CommandGroup.name(each).equals(CommandGroup.name(command)))
                        .findFirst()
                        .orElse(command);
    }
}
