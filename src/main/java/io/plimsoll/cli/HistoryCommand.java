package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.history.FigureSeries;
import io.plimsoll.history.History;
import io.plimsoll.history.HistoryRun;
import io.plimsoll.history.Shift;
import io.plimsoll.report.HistoryText;
import io.plimsoll.report.Mark;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.stats.ChangePoints;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll history}: shows figures over many runs, and their changes. */
@Command(name = "history", subcommands = HistoryCommand.Check.class)
final class HistoryCommand extends PlimsollCommand {
    private static final List<String> FORMATS =
            List.of("terminal", "html", "csv", "json", "benchmark-smaller", "benchmark-bigger");

    @Mixin
    HistoryOptions of = new HistoryOptions();

    @Option(names = "--last", paramLabel = "N", defaultValue = "40")
    int last;

    @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "terminal")
    String format;

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    Exit perform() {
        require(FORMATS.contains(format), "cli.noFormat", format, FORMATS);
        require(last >= 1, "cli.expected", "--last", Sentence.of("cli.a.orMore", 1), last);
        // The other formats contain only figures.
        boolean ofRuns = format.equals("terminal") || format.equals("json");
        require(ofRuns || !of.figures.isEmpty(), "cli.missing", "--figure");
        Predicate<HistoryRun> wanted = of.wanted(this);
        try (History history = of.open()) {
            List<HistoryRun> runs = history.runs().stream().filter(wanted).toList();
            List<FigureSeries> series = of.series(history, wanted);
            // A benchmark tracker assigns each value to the current commit.
            List<FigureSeries> current =
                    series.stream().filter(s -> isCurrent(s, runs, 1)).toList();
            output.write(
                    switch (format) {
                        case "html" -> HtmlReport.history(series, language());
                        case "csv" -> HistoryText.csv(series);
                        case "json" -> HistoryText.json(runs, series);
                        case "benchmark-smaller" -> HistoryText.benchmark(current, false);
                        case "benchmark-bigger" -> HistoryText.benchmark(current, true);
                        default -> text(runs, series);
                    },
                    out());
            return Exit.PASSED;
        }
    }

    /** Whether one of the newest runs of the scenario has the figure. */
    private static boolean isCurrent(FigureSeries series, List<HistoryRun> all, int newest) {
        List<HistoryRun> its =
                all.stream().filter(run -> run.name().equals(series.scenario())).toList();
        return its.stream().skip(Math.max(0, its.size() - newest)).anyMatch(series.runs()::contains);
    }

    private String text(List<HistoryRun> runs, List<FigureSeries> series) {
        if (!series.isEmpty()) {
            return series.stream()
                            .map(s -> String.join("\n", HistoryText.series(s, look())))
                            .collect(Collectors.joining("\n\n"))
                    + "\n";
        }
        List<HistoryRun> shown = new ArrayList<>(runs.subList(Math.max(0, runs.size() - last), runs.size()));
        Collections.reverse(shown);
        Sentence counted = Sentence.of("cli.history.runs", shown.size(), runs.size());
        return HistoryText.runs(shown, look()) + counted.in(language()) + "\n";
    }

    /** {@code plimsoll history check}: checks whether the newest runs are worse. */
    @Command(name = "check")
    static final class Check extends PlimsollCommand {
        @Mixin
        HistoryOptions of = new HistoryOptions();

        @Option(names = "--tolerance", paramLabel = "PERCENT", defaultValue = "5%")
        String tolerance;

        @Option(names = "--newest", paramLabel = "N", defaultValue = "20")
        int newest;

        @Option(names = "--allow-short")
        boolean allowShort;

        @Override
        Exit perform() {
            double allowed = read("--tolerance", tolerance, Quantities::ratio);
            Sentence least = Sentence.of("cli.a.orMore", ChangePoints.LEAST);
            require(newest >= ChangePoints.LEAST, "cli.expected", "--newest", least, newest);
            require(!of.figures.isEmpty(), "cli.missing", "--figure");
            Predicate<HistoryRun> wanted = of.wanted(this);
            try (History history = of.open()) {
                of.figures.forEach(f -> require(FigureSeries.moreIsBetter(f).isPresent(), "cli.history.noSide", f));
                List<HistoryRun> runs = history.runs().stream().filter(wanted).toList();
                Set<String> decided = new HashSet<>();
                boolean worse = false;
                boolean undecided = false;
                for (FigureSeries series : of.series(history, wanted)) {
                    if (isCurrent(series, runs, newest)) {
                        decided.add(series.figure());
                        worse |= reportChange(series, allowed);
                        undecided |= !allowShort && !series.canShowChanges();
                    } else {
                        check(Mark.UNKNOWN, series, Sentence.of("cli.history.gone", newest));
                    }
                }
                undecided |= !decided.containsAll(of.figures);
                return worse ? Exit.REGRESSION : undecided ? Exit.INVALID_MEASUREMENT : Exit.PASSED;
            }
        }

        private void check(Mark mark, FigureSeries series, Sentence text) {
            Sentence said = Sentence.of("text.at", HistoryText.title(series), text);
            printLine(mark.before(said.in(language()), look()));
        }

        private boolean reportChange(FigureSeries series, double allowed) {
            Optional<Shift> regression = series.regression(allowed, newest);
            Optional<Shift> ofHost =
                    series.recent(newest).stream().filter(series::ofHost).reduce((first, second) -> second);
            Sentence text = regression
                    .or(() -> ofHost)
                    .map(shift -> HistoryText.sentence(series, shift))
                    .orElse(
                            series.canShowChanges()
                                    ? Sentence.of("cli.history.notWorse", newest)
                                    : HistoryText.sentences(series).get(0));
            Mark mark = regression.isPresent() ? Mark.BAD : series.canShowChanges() ? Mark.GOOD : Mark.UNKNOWN;
            check(mark, series, text);
            if (series.canShowChanges() && series.sinceLast() < History.SHORTEST) {
                print("report.history.shortSince", series.sinceLast(), History.SHORTEST);
            }
            if (series.leftOut() > 0) {
                print("report.history.leftOut", series.leftOut());
            }
            return regression.isPresent();
        }
    }

    /** Options that select the runs and figures of a history. */
    static final class HistoryOptions {
        @Parameters(arity = "0..*", paramLabel = "DIR", descriptionKey = "argument.history.directories")
        List<Path> directories = new ArrayList<>();

        @Option(names = "--figure", paramLabel = "NAME")
        List<String> figures = new ArrayList<>();

        @Option(names = "--scenario", paramLabel = "NAME")
        String scenario;

        @Option(names = "--trial", paramLabel = "NAME")
        String trial;

        @Option(names = "--since", paramLabel = "TIME")
        String since;

        @Option(names = "--rebuild")
        boolean rebuild;

        History open() {
            figures.forEach(History::requireFigure);
            return History.open(directories.isEmpty() ? List.of(Path.of("runs")) : directories, rebuild);
        }

        Predicate<HistoryRun> wanted(PlimsollCommand command) {
            Duration age = since == null ? null : command.read("--since", since, Quantities::duration);
            Instant from = age == null ? Instant.EPOCH : Instant.now().minus(age);
            return run -> (scenario == null || scenario.equals(run.name()))
                    && !run.startedAt().isBefore(from);
        }

        List<FigureSeries> series(History history, Predicate<HistoryRun> wanted) {
            List<FigureSeries> all = new ArrayList<>();
            for (String figure : figures) {
                List<FigureSeries> its = history.series(figure, wanted, trial);
                Exit.USAGE.when(its.isEmpty(), "cli.history.noSeries", figure);
                all.addAll(its);
            }
            return all;
        }
    }
}
