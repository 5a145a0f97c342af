package io.plimsoll.perf;

import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.cli.Arguments;
import io.plimsoll.cli.ModuleCommand;
import io.plimsoll.cli.RunCommand.ShownRun;
import io.plimsoll.report.RunReport;
import io.plimsoll.result.Fold;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Verdicts;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll import}: turns results of other tools into a run directory. */
@Command(name = "import")
public final class ImportCommand extends ModuleCommand.OfPerf {
    @Parameters(arity = "1..*", paramLabel = "FILE", descriptionKey = "argument.import.files")
    List<Path> files;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "runs")
    Path out;

    @Override
    protected Exit execute() {
        Imports imports = new Imports();
        files.forEach(
                file -> imports.add(file.toString(), ScenarioSource.read(file, "cli.savedOutput", InputFile.SAVED)));
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
