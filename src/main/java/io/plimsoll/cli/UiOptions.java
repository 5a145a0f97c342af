package io.plimsoll.cli;

import io.plimsoll.result.Progress;
import io.plimsoll.text.Sentence;
import io.plimsoll.web.LivePage;
import io.plimsoll.web.MetricsPage;
import io.plimsoll.web.OtlpExport;
import io.plimsoll.web.OtlpSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Watching a run in a browser. */
final class UiOptions {
    @Option(names = "--ui", arity = "0..1", paramLabel = "PORT", fallbackValue = "0", preprocessor = OnlyNumbers.class)
    Integer port;

    @Mixin
    BindOptions bind = new BindOptions();

    @Option(names = "--prometheus", paramLabel = "PORT")
    Integer prometheus;

    /** A word after {@code --ui} is its port only if it is a number, and otherwise the scenario. */
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

    /** @return empty if nobody wants to watch */
    Optional<LivePage> open(PlimsollCommand command) {
        if (port == null) {
            return Optional.empty();
        }
        // As a signal would: the run ends with its report, and the process with the signal's exit code.
        LivePage page = new LivePage(bind.place(port), () -> System.exit(io.plimsoll.Exit.INTERRUPTED.code()));
        command.say(Sentence.of("cli.watchAt", page.address()));
        return Optional.of(page);
    }

    /** The parts that offer or send the run's figures to others; empty if nobody wants them. */
    List<Progress> openMetrics(PlimsollCommand command) {
        List<Progress> metrics = new ArrayList<>();
        if (prometheus != null) {
            MetricsPage page = new MetricsPage(bind.place(prometheus));
            command.say(Sentence.of("cli.scrapeAt", page.address()));
            metrics.add(page);
        }
        // Its library is loaded only where somebody asks for it.
        OtlpSettings.Read otlp = OtlpSettings.read(System.getenv());
        otlp.problem().ifPresent(command::say);
        otlp.settings().ifPresent(settings -> metrics.add(new OtlpExport(settings, command::say)));
        return metrics;
    }
}
