package io.plimsoll.cli;

import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.report.Live;
import io.plimsoll.report.RunReport;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.report.html.RunSeries;
import io.plimsoll.report.picture.Pictures;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.run.CeilingRequest;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.web.LivePage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Executes a run and shows its progress and report on the terminal, also after an interrupt.
 *
 * @param command provides the output
 * @param options select the amount of output
 * @param more runs before the path of the report is printed
 * @param reported whether to print the result; otherwise {@code more} prints it
 */
record ShownRun(PlimsollCommand command, RunOptions.Results options, Consumer<Run.Finished> more, boolean reported) {

    /** @param page closed at the end, as are the metrics */
    Run.Finished execute(
            RunRequest request, Optional<CeilingRequest> ceiling, Optional<LivePage> page, List<Progress> metrics) {
        try (Progress terminal = Live.progress(options.silent(), command.environment(), command.language())) {
            List<Progress> all = new ArrayList<>(List.of(terminal));
            page.ifPresent(all::add);
            all.addAll(metrics);
            return RunInterrupt.execute(new Run(request, new ProgressGroup(all), ceiling), finished -> {
                terminal.close();
                show(finished, page);
            });
        } finally {
            page.ifPresent(LivePage::close);
            metrics.forEach(Progress::close);
        }
    }

    /** Shows the result even if the reports cannot be written. */
    void show(Run.Finished finished, Optional<LivePage> page) {
        RunResult result = finished.result();
        List<Path> report = new ArrayList<>();
        PlimsollException unwritten = null;
        try (RunDirectory directory = RunDirectory.open(finished.directory())) {
            report.add(writeReports(directory, result, command.language()));
        } catch (PlimsollException e) {
            unwritten = finished.failure() == null ? e : null;
        }
        if (finished.failure() != null) {
            command.say(finished.failure().sentence());
        }
        PrintWriter out = command.out();
        if (reported && options.json) {
            out.print(Json.pretty(result));
        } else if (reported) {
            out.println(RunReport.terminal(result, command.look()));
        }
        more.accept(finished);
        if (reported && !options.json) {
            report.forEach(out::println);
        }
        out.flush();
        page.ifPresent(p -> p.end(result, report.isEmpty() ? "" : report.get(0).toString()));
        if (unwritten != null) {
            throw unwritten;
        }
    }

    /** @return {@code report.html} */
    static Path writeReports(RunDirectory directory, RunResult result, Language language) {
        RunSeries series = RunSeries.of(directory);
        Path markdown = directory.path().resolve(RunDirectory.REPORT_MARKDOWN);
        try {
            var pictures = Pictures.beside(markdown, result, series, language);
            directory.write(RunDirectory.REPORT_MARKDOWN, RunReport.markdown(result, pictures, language));
        } catch (IOException e) {
            throw directory.cannotWrite(RunDirectory.REPORT_MARKDOWN, e);
        }
        return directory.write(RunDirectory.REPORT_HTML, HtmlReport.render(result, series, language));
    }

    /** Combines observers of a run; their creators close them, since some show the end of the run. */
    record ProgressGroup(List<Progress> all) implements Progress {
        @Override
        public void phase(String trial, String phase, double fraction, double etaSeconds) {
            all.forEach(each -> each.phase(trial, phase, fraction, etaSeconds));
        }

        @Override
        public void snapshot(Snapshot snapshot) {
            all.forEach(each -> each.snapshot(snapshot));
        }

        @Override
        public void search(SearchView view) {
            all.forEach(each -> each.search(view));
        }

        @Override
        public void fault(Sentence what) {
            all.forEach(each -> each.fault(what));
        }

        @Override
        public void checks(List<String> held, List<String> missed) {
            all.forEach(each -> each.checks(held, missed));
        }

        @Override
        public void event(TimelineEvent event) {
            all.forEach(each -> each.event(event));
        }

        @Override
        public void note(Sentence text) {
            all.forEach(each -> each.note(text));
        }

        @Override
        public void close() {}
    }
}
