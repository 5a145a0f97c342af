package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.report.AdviceText;
import io.plimsoll.report.CsvReport;
import io.plimsoll.report.JunitReport;
import io.plimsoll.report.RunReport;
import io.plimsoll.report.SlowText;
import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.report.html.RunSeries;
import io.plimsoll.report.picture.Pictures;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.imported.OmbSupport;
import io.plimsoll.watch.WatchStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll report}: renders the timeline of a run. Also contains other commands for the results of runs. */
@Command(name = "report")
final class ReportCommand extends PlimsollCommand {
    private static final List<String> FORMATS =
            List.of("terminal", "html", "md", "csv", "json", "junit", "omb", "svg", "png");

    @Parameters(paramLabel = "RUN_DIR", descriptionKey = "argument.report.directory")
    Path directory;

    @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "terminal")
    String format;

    @Mixin
    OutputOptions output = new OutputOptions();

    @Option(names = "--trial", paramLabel = "NAME")
    String trial;

    @Override
    Exit perform() throws IOException {
        String kind = format.equals("markdown") ? "md" : format;
        require(FORMATS.contains(kind), "cli.noFormat", format, FORMATS);
        RunDirectory run = RunDirectory.open(runAt(directory));
        boolean pictures = format.matches("svg|png");
        require(!pictures || output.out != null || run.path().equals(directory), "cli.missing", "--out");
        if (pictures) {
            pictures(run);
        } else {
            output.write(render(kind, run, Fold.of(run)), out());
        }
        return Exit.PASSED;
    }

    private void pictures(RunDirectory run) throws IOException {
        Pictures pictures = format.equals("svg")
                ? Pictures.svg(language())
                : Pictures.png(language()).orElseThrow(() -> Exit.USAGE.because("cli.noFonts"));
        if (pictures.language() != language()) {
            say("cli.noFontOfLanguage");
        }
        Path into = output.out == null ? run.path().resolve("pictures") : output.out;
        try {
            var written = pictures.write(Fold.of(run), RunSeries.of(run), into);
            if (written.isEmpty()) {
                say("cli.noPictures");
            }
            written.keySet().forEach(out()::println);
        } catch (IOException e) {
            throw OutputOptions.cannotWrite(into, e);
        }
    }

    private String render(String kind, RunDirectory run, RunResult result) throws IOException {
        return switch (kind) {
            case "html" -> HtmlReport.render(run, result, language());
            case "md" -> markdown(run, result);
            case "csv" -> CsvReport.render(result);
            case "junit" -> JunitReport.render(result);
            case "json" -> Json.pretty(result);
            case "omb" -> OmbSupport.get().write(run, Optional.ofNullable(trial));
            default -> RunReport.terminal(result, output.look(look()));
        };
    }

    /** Renders the report as Markdown, with links to pictures if it is written to a file. */
    private String markdown(RunDirectory run, RunResult result) {
        try {
            Map<String, String> pictures =
                    output.out == null ? Map.of() : Pictures.beside(output.out, result, RunSeries.of(run), language());
            return RunReport.markdown(result, pictures, language());
        } catch (IOException e) {
            throw OutputOptions.cannotWrite(output.out, e);
        }
    }

    /** {@code plimsoll advise}: suggests changes, based on the bottleneck of a run. */
    @Command(name = "advise")
    static final class AdviseCommand extends PlimsollCommand {
        @Parameters(paramLabel = "RUN", descriptionKey = "argument.advise.run")
        Path run;

        @Override
        Exit perform() {
            out().print(AdviceText.render(ComparedRun.read(runAt(run)).result(), run.toString(), look()));
            return Exit.PASSED;
        }
    }

    /** {@code plimsoll explain}: shows the slow moments of a run, with the stages of their slowest records and the causes. */
    @Command(name = "explain")
    static final class ExplainCommand extends PlimsollCommand {
        @Parameters(paramLabel = "RUN", descriptionKey = "argument.explain.run")
        Path run;

        @Option(names = "--trial", paramLabel = "NAME")
        String trial;

        @Option(names = "--at", paramLabel = "SECONDS")
        String at;

        @Option(names = "--record", paramLabel = "PARTITION:OFFSET")
        String record;

        @Override
        Exit perform() {
            require(at == null || at.matches("\\d+(\\.\\d+)? ?s?"), "cli.explain.noTime", at);
            Double seconds = at == null ? null : Double.valueOf(at.replaceAll("[ s]", ""));
            require(record == null || record.matches(".+-\\d+:\\d{1,18}"), "cli.explain.noRecord", record);
            Optional<WatchStatus> watch = WatchStatus.read(run);
            require(watch.isEmpty() || trial == null, "report.explain.noTrial", trial);
            out().print(watch.map(w -> SlowText.explained(w, seconds, record, look()))
                    .orElseGet(() ->
                            SlowText.explained(ComparedRun.read(runAt(run)).result(), trial, seconds, record, look())));
            return Exit.PASSED;
        }
    }
}
