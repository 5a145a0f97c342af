package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.report.CsvReport;
import io.plimsoll.report.JunitReport;
import io.plimsoll.report.MarkdownReport;
import io.plimsoll.report.TerminalReport;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.report.omb.OmbResult;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Renders the timeline of a run, whether the run ended or was killed. */
@Command(name = "report")
final class ReportCommand extends PlimsollCommand {
    @Parameters(paramLabel = "RUN_DIR", descriptionKey = "argument.report.directory")
    Path directory;

    @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "terminal")
    String format;

    @Mixin
    OutputOptions output = new OutputOptions();

    @Option(names = "--trial", paramLabel = "NAME")
    String trial;

    @Override
    Exit perform() {
        output.write(render(), out());
        return Exit.PASSED;
    }

    private String render() {
        return switch (format) {
            case "terminal" -> TerminalReport.render(result(), output.look(look()));
            case "html" -> {
                RunDirectory run = RunDirectory.open(directory);
                yield HtmlReport.render(run, Fold.of(run), language());
            }
            case "md", "markdown" -> MarkdownReport.render(result(), language());
            case "csv" -> CsvReport.render(result());
            case "junit" -> JunitReport.render(result());
            case "json" -> Json.pretty(result());
            case "omb" ->
                OmbResult.of(RunDirectory.open(directory), Optional.ofNullable(trial), OmbResult.PERIOD_MILLIS);
            default ->
                throw mistake(Sentence.of(
                        "cli.noFormat", format, List.of("terminal", "html", "md", "csv", "json", "junit", "omb")));
        };
    }

    private RunResult result() {
        return Fold.of(RunDirectory.open(directory));
    }
}
