package io.plimsoll.cli;

import io.plimsoll.result.Progress;
import io.plimsoll.web.LivePage;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Watching a run in a browser. */
final class UiOptions {
    @Option(
            names = "--ui",
            arity = "0..1",
            paramLabel = "PORT",
            fallbackValue = "0",
            preprocessor = OnlyNumbers.class,
            description =
                    "Show the run in a browser while it goes on, on this port of the loopback interface; without a"
                            + " number on any that is free. The address is printed.")
    Integer port;

    @Option(
            names = "--ui-bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description =
                    "Address of this machine where --ui listens. Anything but loopback needs the token that is part"
                            + " of the printed address. Default: ${DEFAULT-VALUE}.")
    String bind;

    /** What follows {@code --ui} is its port only if it is a number, and otherwise the scenario. */
    static final class OnlyNumbers implements IParameterPreprocessor {
        @Override
        public boolean preprocess(
                Stack<String> rest, CommandSpec command, ArgSpec option, java.util.Map<String, Object> info) {
            if (rest.isEmpty() || !rest.peek().matches("\\d{1,5}")) {
                rest.push("0");
            }
            return false;
        }
    }

    /**
     * Opens the page and says where it is.
     *
     * @return empty if nobody wants to watch
     */
    Optional<LivePage> open(CommandSpec spec) {
        if (port == null) {
            return Optional.empty();
        }
        // As a signal would: the run ends with its report, and the process with the signal's exit code.
        LivePage page = new LivePage(bind, port, () -> System.exit(io.plimsoll.Exit.INTERRUPTED.code()));
        PrintWriter err = spec.commandLine().getErr();
        err.println("plimsoll: watch the run at " + page.address());
        err.flush();
        return Optional.of(page);
    }

    /** Shows the same on both. */
    static Progress both(Progress shown, Optional<LivePage> page) {
        return page.isEmpty() ? shown : new ProgressPair(shown, page.get());
    }
}
