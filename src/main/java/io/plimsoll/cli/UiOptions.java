package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cli.UiOptions.BindOptions;
import io.plimsoll.cli.UiOptions.PageOptions;
import io.plimsoll.result.Progress;
import io.plimsoll.text.Sentence;
import io.plimsoll.web.ExportedMetric;
import io.plimsoll.web.FigureStream;
import io.plimsoll.web.FigureStream.Format;
import io.plimsoll.web.LivePage;
import io.plimsoll.web.OtlpSettings;
import io.plimsoll.web.OtlpSettings.OtlpExport;
import io.plimsoll.web.RunTotals;
import io.plimsoll.web.RunTotals.MetricsPage;
import io.plimsoll.web.RunsPage;
import io.plimsoll.web.WebPlace;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Stack;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options for the live page of a run. */
public final class UiOptions {
    @Option(names = "--ui", arity = "0..1", paramLabel = "PORT", fallbackValue = "0", preprocessor = OnlyNumbers.class)
    Integer port;

    @Mixin
    BindOptions bind = new BindOptions();

    @Option(names = "--prometheus", paramLabel = "PORT")
    Integer prometheus;

    @Option(names = "--out-stream", paramLabel = "FORMAT[=TARGET]")
    List<String> streams = new ArrayList<>();

    /** A value after {@code --ui} is the port only if it is a number; otherwise it is the scenario. */
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

    /** Opens the live page; empty without {@code --ui}. */
    Optional<LivePage> open(PlimsollCommand command) {
        if (port == null) {
            return Optional.empty();
        }
        // As after a signal, the run ends with its report and the exit code of an interrupt.
        LivePage page = new LivePage(bind.place(port), () -> System.exit(io.plimsoll.Exit.INTERRUPTED.code()));
        command.say("cli.watchAt", page.address());
        return Optional.of(page);
    }

    /** Opens exporters for the metrics of the run; empty if none is requested. */
    List<Progress> openMetrics(PlimsollCommand command) {
        RunTotals totals = new RunTotals();
        List<Progress> metrics = new ArrayList<>();
        if (prometheus != null) {
            MetricsPage page = new MetricsPage(bind.place(prometheus), totals::metrics);
            command.say("cli.scrapeAt", page.address());
            metrics.add(page);
        }
        otlp(command, totals::metrics).ifPresent(metrics::add);
        if (!metrics.isEmpty()) {
            metrics.add(0, totals);
        }
        streams.forEach(stream -> metrics.add(stream(command, stream)));
        return metrics;
    }

    /** With the target {@code -}, all other output moves from standard output to standard error. */
    private static FigureStream stream(PlimsollCommand command, String text) {
        String[] parts = text.split("=", 2);
        Format format = Stream.of(Format.values())
                .filter(f -> f.name().toLowerCase(Locale.ROOT).equals(parts[0]))
                .findFirst()
                .orElseThrow(() -> Exit.USAGE.because("cli.outStream", text));
        String target = parts.length > 1 ? parts[1] : format == Format.STATSD ? "127.0.0.1:8125" : "-";
        try {
            FigureStream.Destination to;
            if (target.equals("-")) {
                PrintWriter out = command.out();
                to = lines -> {
                    out.print(lines);
                    out.flush();
                };
                command.spec.commandLine().setOut(command.err());
            } else if (format == Format.STATSD) {
                int colon = target.lastIndexOf(':');
                Exit.USAGE.when(colon < 1 || !target.substring(colon + 1).matches("\\d{1,5}"), "cli.outStream", text);
                int port = Integer.parseInt(target.substring(colon + 1));
                Exit.USAGE.when(port > 65_535, "cli.outStream", text);
                InetSocketAddress address = new InetSocketAddress(target.substring(0, colon), port);
                Exit.USAGE.when(
                        address.isUnresolved(),
                        "cli.cannotWrite",
                        target,
                        Sentence.of("cli.unknownHost", address.getHostString()));
                to = FigureStream.to(address);
            } else {
                to = FigureStream.to(Files.newBufferedWriter(Path.of(target)));
            }
            return new FigureStream(format, to, e -> command.say("cli.cannotWrite", target, e));
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "cli.cannotWrite", target, PlimsollCommand.reason(e));
        }
    }

    /** Exports by OTLP if the OpenTelemetry variables are set; loads the library only then. */
    static Optional<OtlpExport> otlp(PlimsollCommand command, Supplier<List<ExportedMetric>> figures) {
        OtlpSettings.Read otlp = OtlpSettings.read(System.getenv());
        otlp.problem().ifPresent(command::say);
        return otlp.settings().map(settings -> new OtlpExport(settings, figures, command::say));
    }

    /** Certificate and token for pages that listen beyond the loopback interface. */
    public static class PageOptions {
        @Option(names = "--ui-cert", paramLabel = "FILE")
        Path certificate;

        @Option(names = "--ui-key", paramLabel = "FILE")
        Path key;

        @Option(names = "--ui-token", paramLabel = "FILE")
        Path token;

        public WebPlace place(String address, int port) {
            Exit.USAGE.when((certificate == null) != (key == null), "cli.uiCertAndKey");
            return new WebPlace(address, port, certificate == null ? null : new WebPlace.Pem(certificate, key), token);
        }

        public boolean given() {
            return certificate != null || key != null || token != null;
        }
    }

    /** Listen address, certificate and token of pages. */
    static final class BindOptions extends PageOptions {
        @Option(names = "--ui-bind", paramLabel = "ADDRESS", defaultValue = "127.0.0.1")
        String address;

        WebPlace place(int port) {
            return place(address, port);
        }
    }

    @Command(name = "ui")
    static final class UiCommand extends PlimsollCommand {
        @Parameters(arity = "0..1", paramLabel = "DIR", defaultValue = "runs", descriptionKey = "argument.ui.directory")
        Path directory;

        @Option(names = "--port", paramLabel = "PORT", defaultValue = "0")
        int port;

        @Mixin
        BindOptions bind = new BindOptions();

        @Override
        Exit perform() throws InterruptedException {
            try (RunsPage page = new RunsPage(directory, bind.place(port))) {
                out().println(page.address());
                out().flush();
                new CountDownLatch(1).await();
            }
            return Exit.PASSED;
        }
    }
}
