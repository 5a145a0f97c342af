package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cli.Main.CommandGroup;
import java.util.List;
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
        @Unmatched
        List<String> words;

        private final String reason;

        Absent(String reason) {
            this.reason = reason;
        }

        @Override
        Exit perform() {
            throw Exit.USAGE.because(reason);
        }
    }

    @Command(name = "omb")
    static final class Omb extends Absent {
        Omb() {
            super("result.noOmb");
        }
    }

    @Command(name = "agent")
    static final class Agent extends Absent {
        Agent() {
            super("fleet.noModule");
        }
    }

    @Command(name = "fleet")
    static final class Fleet extends Absent {
        Fleet() {
            super("fleet.noModule");
        }
    }

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
