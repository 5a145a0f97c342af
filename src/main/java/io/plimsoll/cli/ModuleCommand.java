package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cli.Main.CommandGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** A command of a separate module, found as a {@link ServiceLoader service}. Its texts are in the core. */
public abstract class ModuleCommand extends PlimsollCommand {
    protected abstract Exit execute() throws InterruptedException;

    @Override
    final Exit perform() throws InterruptedException {
        return execute();
    }

    /**
     * A command of the module fleet. Each module has its own service type, because with a single type, the modules
     * would share one provider file.
     */
    public abstract static class OfFleet extends ModuleCommand {}

    /** A command of the module history. */
    public abstract static class OfHistory extends ModuleCommand {}

    /** A command of the module perf. */
    public abstract static class OfPerf extends ModuleCommand {}

    /** Placeholder for a command of a module; fails with a message if the module is not installed. */
    abstract static class Absent extends PlimsollCommand {
        /** Keys of the messages by command. */
        private static final Map<String, String> REASONS = Map.of(
                "omb", "result.noOmb",
                "agent", "fleet.noModule",
                "fleet", "fleet.noModule",
                "history", "history.noModule");

        private static final String NO_PERF = "result.noPerf";

        @Unmatched
        List<String> words = new ArrayList<>();

        @Override
        Exit perform() {
            throw Exit.USAGE.because(REASONS.getOrDefault(spec.name(), NO_PERF));
        }
    }

    @Command(name = "omb")
    static final class Omb extends Absent {}

    @Command(name = "agent")
    static final class Agent extends Absent {}

    @Command(name = "fleet")
    static final class Fleet extends Absent {}

    @Command(name = "history")
    static final class History extends Absent {}

    @Command(name = "producer-perf-test")
    static final class ProducerPerf extends Absent {}

    @Command(name = "consumer-perf-test")
    static final class ConsumerPerf extends Absent {}

    @Command(name = "share-consumer-perf-test")
    static final class ShareConsumerPerf extends Absent {}

    @Command(name = "end-to-end-latency")
    static final class EndToEndLatency extends Absent {}

    @Command(name = "import")
    static final class Import extends Absent {}

    @Command(name = "capture")
    static final class Capture extends Absent {}

    /** The class of a command: the module's class if the module is installed, otherwise the given class. */
    static Class<? extends PlimsollCommand> of(Class<? extends PlimsollCommand> command) {
        return !Absent.class.isAssignableFrom(command)
                ? command
                : Stream.of(ModuleCommand.class, OfFleet.class, OfHistory.class, OfPerf.class)
                        .flatMap(service -> ServiceLoader.load(service, ModuleCommand.class.getClassLoader()).stream())
                        .<Class<? extends PlimsollCommand>>map(ServiceLoader.Provider::type)
                        .filter(each -> CommandGroup.name(each).equals(CommandGroup.name(command)))
                        .findFirst()
                        .orElse(command);
    }
}
