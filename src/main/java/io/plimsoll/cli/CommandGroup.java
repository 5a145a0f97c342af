package io.plimsoll.cli;

import io.plimsoll.cli.PerfCommand.EndToEndLatencyCommand;
import io.plimsoll.cli.PerfCommand.ProducerPerfCommand;
import io.plimsoll.cli.ReadPerfCommand.ConsumerPerfCommand;
import io.plimsoll.cli.ReadPerfCommand.ShareConsumerPerfCommand;
import io.plimsoll.cli.ReportCommand.AdviseCommand;
import io.plimsoll.cli.UiOptions.UiCommand;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;

/** All commands, in the groups and the order of {@code plimsoll --help}. */
enum CommandGroup {
    MEASURE(RunCommand.class, CeilingCommand.class, CapacityCommand.class, ScenariosCommand.class, NewCommand.class),
    ANALYZE(
            ReportCommand.class,
            CompareCommand.class,
            HistoryCommand.class,
            AdviseCommand.class,
            VerifyCommand.class,
            UiCommand.class),
    CLUSTER(ProbeCommand.class, WatchCommand.class, LagCommand.class, CaptureCommand.class, CleanCommand.class),
    LAB(LabCommand.class, NullBrokerCommand.class),
    FLEET(AgentCommand.class, FleetCommand.class),
    REPLACEMENTS(
            ProducerPerfCommand.class,
            ConsumerPerfCommand.class,
            ShareConsumerPerfCommand.class,
            EndToEndLatencyCommand.class,
            OmbCommand.class),
    UTILITIES(
            TopicCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class,
            HostCommand.class,
            CalibrateCommand.class,
            ImportCommand.class,
            UpgradeScenarioCommand.class);

    final List<Class<? extends PlimsollCommand>> commands;

    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only copied
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
