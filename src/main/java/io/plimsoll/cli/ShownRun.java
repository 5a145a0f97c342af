package io.plimsoll.cli;

import io.plimsoll.PlimsollException;
import io.plimsoll.report.Live;
import io.plimsoll.report.TerminalReport;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.CeilingRequest;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.web.LivePage;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;

/** A run with its progress and its report on the terminal, also when it is told to end. For one run. */
final class ShownRun {
    private final CommandSpec spec;
    private final boolean quiet;
    private final boolean json;
    private final Consumer<Run.Finished> more;
    private Optional<LivePage> page = Optional.empty();
    private List<Progress> metrics = List.of();
    private boolean shown;

    /**
     * @param quiet without progress
     * @param json the result instead of the report
     */
    ShownRun(CommandSpec spec, boolean quiet, boolean json) {
        this(spec, quiet, json, finished -> {});
    }

    /** @param more what else is to be done with the result, before its report's path is printed */
    ShownRun(CommandSpec spec, boolean quiet, boolean json, Consumer<Run.Finished> more) {
        this.spec = spec;
        this.quiet = quiet;
        this.json = json;
        this.more = more;
    }

    /** Shows it to others as well. */
    ShownRun on(Optional<LivePage> livePage, List<Progress> others) {
        page = livePage;
        metrics = List.copyOf(others);
        return this;
    }

    Run.Finished execute(RunRequest request) {
        return execute(request, Optional.empty());
    }

    /** @param ceiling instead of the plan's own trials, search for the highest load */
    Run.Finished execute(RunRequest request, Optional<CeilingRequest> ceiling) {
        Run.Finished finished;
        try (Progress progress = UiOptions.all(Live.progress(quiet || json, System.getenv()), page, metrics)) {
            Run run = new Run(request, progress, ceiling);
            // Closed last: a signal lets the process end only when everything has been shown.
            try (RunInterrupt interrupt = new RunInterrupt(run, result -> show(result, progress))) {
                finished = run.execute();
                show(finished, progress);
            }
        } finally {
            page.ifPresent(LivePage::close);
            metrics.forEach(Progress::close);
        }
        return finished;
    }

    /** Once: by the running thread, or for it if it hangs while the process is told to end. */
    private synchronized void show(Run.Finished finished, Progress progress) {
        if (shown) {
            return;
        }
        shown = true;
        progress.close();
        RunResult result = finished.result();
        Optional<Path> report = report(finished);
        PrintWriter stdout = spec.commandLine().getOut();
        PrintWriter stderr = spec.commandLine().getErr();
        if (finished.failure() != null) {
            stderr.println("plimsoll: " + finished.failure().getMessage());
            stderr.flush();
        }
        if (json) {
            stdout.print(Json.pretty(result));
        } else {
            stdout.println(TerminalReport.render(result, Live.width(System.getenv()), Live.color(System.getenv())));
        }
        more.accept(finished);
        if (!json) {
            report.ifPresent(stdout::println);
        }
        stdout.flush();
        page.ifPresent(p -> p.end(result, report.map(Path::toString).orElse("")));
    }

    /** @return its path; empty if it cannot be written where the run itself could not write any more */
    private static Optional<Path> report(Run.Finished finished) {
        try (RunDirectory directory = RunDirectory.open(finished.directory())) {
            return Optional.of(ReportFiles.write(directory, finished.result()));
        } catch (PlimsollException e) {
            if (finished.failure() == null) {
                throw e;
            }
            return Optional.empty();
        }
    }
}
