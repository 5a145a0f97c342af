package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.cli.RunCommand.ShownRun;
import io.plimsoll.report.AdviceText;
import io.plimsoll.report.AuditText;
import io.plimsoll.report.ComparisonText;
import io.plimsoll.report.CsvReport;
import io.plimsoll.report.JunitReport;
import io.plimsoll.report.Look;
import io.plimsoll.report.RunReport;
import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.TurnsFile;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.report.html.RunSeries;
import io.plimsoll.report.omb.OmbResult;
import io.plimsoll.report.picture.Pictures;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Verdicts;
import io.plimsoll.result.imported.Imports;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.Verification;
import io.plimsoll.run.Verification.Verified;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll report}: renders the timeline of a run; and other commands on the results of runs. */
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
        RunDirectory run = RunDirectory.open(directory);
        if (format.matches("svg|png")) {
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
        Path into = output.out == null ? directory.resolve("pictures") : output.out;
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
            case "omb" -> OmbResult.of(run, Optional.ofNullable(trial), OmbResult.PERIOD_MILLIS, Optional.empty());
            default -> RunReport.terminal(result, output.look(look()));
        };
    }

    /** Links to pictures beside the report if it goes to a file. */
    private String markdown(RunDirectory run, RunResult result) {
        try {
            Map<String, String> pictures =
                    output.out == null ? Map.of() : Pictures.beside(output.out, result, RunSeries.of(run), language());
            return RunReport.markdown(result, pictures, language());
        } catch (IOException e) {
            throw OutputOptions.cannotWrite(output.out, e);
        }
    }

    /** {@code plimsoll advise}: suggestions for a run, from its bottleneck. */
    @Command(name = "advise")
    static final class AdviseCommand extends PlimsollCommand {
        @Parameters(paramLabel = "RUN", descriptionKey = "argument.advise.run")
        Path run;

        @Override
        Exit perform() {
            out().print(AdviceText.render(ComparedRun.read(run).result(), run.toString(), look()));
            return Exit.PASSED;
        }
    }

    /** {@code plimsoll compare}: whether runs differ, by how much, and with which certainty. */
    @Command(name = "compare")
    static final class CompareCommand extends PlimsollCommand {
        @Parameters(arity = "1..*", paramLabel = "RUN", descriptionKey = "argument.compare.runs")
        List<String> runs;

        @Option(names = "--figure", paramLabel = "NAME")
        List<String> figures = new ArrayList<>();

        @Mixin
        Tolerance tolerance = new Tolerance();

        @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "terminal")
        String format;

        @Mixin
        OutputOptions output = new OutputOptions();

        @Override
        Exit perform() {
            OptionalDouble allowed = tolerance.share();
            Comparison comparison = runs.size() == 1 && TurnsFile.isIn(Path.of(runs.get(0)))
                    ? TurnsFile.compare(Path.of(runs.get(0)), figures, allowed)
                    : Comparer.compare(sides(), figures, allowed);
            output.write(render(comparison), out());
            return Tolerance.exit(comparison);
        }

        private List<List<ComparedRun>> sides() {
            return runs.stream()
                    .map(side -> Arrays.stream(side.split(","))
                            .map(path -> ComparedRun.read(Path.of(path)))
                            .toList())
                    .toList();
        }

        private String render(Comparison comparison) {
            return switch (format) {
                case "terminal" -> ComparisonText.terminal(comparison, output.look(look()));
                case "md", "markdown" -> ComparisonText.markdown(comparison, language());
                case "html" -> HtmlReport.render(comparison, language());
                case "json" -> Json.pretty(comparison);
                default -> throw mistake("cli.noFormat", format, List.of("terminal", "html", "md", "json"));
            };
        }
    }

    /** {@code plimsoll verify}: audits an earlier run again. */
    @Command(name = "verify")
    static final class VerifyCommand extends PlimsollCommand {
        @Parameters(paramLabel = "RUN_DIR", descriptionKey = "argument.verify.directory")
        Path directory;

        @Mixin
        ClusterOptions cluster;

        @Option(names = "--json")
        boolean json;

        @Override
        Exit perform() {
            List<Verified> trials = new Verification(directory, cluster.connectionIfNamed(), this::say).verify();
            if (json) {
                out().print(Json.pretty(trials));
            } else {
                Look look = look();
                trials.forEach(t -> out().print(AuditText.line(t.trial(), t.ended(), t.audit(), look)));
            }
            if (trials.stream().anyMatch(t -> t.audit().violated())) {
                return Exit.AUDIT_FAILED;
            }
            // An incomplete audit may hide lost records.
            boolean complete = trials.stream().allMatch(t -> t.audit().complete());
            return complete ? Exit.PASSED : Exit.INVALID_MEASUREMENT;
        }
    }

    /** {@code plimsoll import}: turns results of other tools into a run directory. */
    @Command(name = "import")
    static final class ImportCommand extends PlimsollCommand {
        @Parameters(arity = "1..*", paramLabel = "FILE", descriptionKey = "argument.import.files")
        List<Path> files;

        @Option(names = "--out", paramLabel = "DIR", defaultValue = "runs")
        Path out;

        @Override
        Exit perform() {
            Imports imports = new Imports();
            files.forEach(file ->
                    imports.add(file.toString(), ScenarioSource.read(file, "cli.savedOutput", InputFile.SAVED)));
            List<TimelineEvent> events = events(imports.trials());
            RunResult result = Fold.fold(events.stream());
            try (RunDirectory directory = RunDirectory.create(out, "import", Instant.now())) {
                events.forEach(directory::append);
                directory.writeResult(result);
                Path report = ShownRun.writeReports(directory, result, language());
                out().println(RunReport.terminal(result, look()));
                out().println(report);
            }
            return Exit.PASSED;
        }

        private List<TimelineEvent> events(List<TrialResult> trials) {
            Instant now = Instant.now();
            List<TimelineEvent> events = new ArrayList<>();
            events.add(new TimelineEvent.RunStarted(
                    "import",
                    now,
                    Arguments.typed(spec),
                    new RunResult.Tool(ToolInfo.version(), ToolInfo.commit(), null, null),
                    new RunResult.Environment(Map.of(), null),
                    Map.of(),
                    0,
                    1,
                    null,
                    List.of()));
            trials.forEach(trial -> events.add(new TimelineEvent.Imported(trial)));
            Sentence sentence = Sentence.of("cli.imported", trials.size(), files.size());
            events.add(new TimelineEvent.RunEnded(now, Exit.PASSED.code(), Verdicts.imported(sentence, trials)));
            return events;
        }
    }
}
