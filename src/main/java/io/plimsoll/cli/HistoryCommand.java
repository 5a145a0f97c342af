package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.history.FigureSeries;
import io.plimsoll.history.History;
import io.plimsoll.history.HistoryRun;
import io.plimsoll.history.Shift;
import io.plimsoll.report.HistoryText;
import io.plimsoll.report.Look;
import io.plimsoll.report.Mark;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.stats.ChangePoints;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll history}: figures over many runs, and their changes. */
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
        try (History history = of.open()) {
            Predicate<HistoryRun> wanted = of.wanted(this);
            List<FigureSeries> series = of.figures.isEmpty() ? List.of() : of.series(history, wanted);
            output.write(
                    switch (format) {
                        case "html" -> HtmlReport.history(series, language());
                        case "csv" -> HistoryText.csv(series);
                        case "json" -> HistoryText.json(runs(history, wanted), series);
                        case "benchmark-smaller" -> HistoryText.benchmark(newest(series, history, wanted), false);
                        case "benchmark-bigger" -> HistoryText.benchmark(newest(series, history, wanted), true);
                        default -> text(history, wanted, series);
                    },
                    out());
            return Exit.PASSED;
        }
    }

    private static List<HistoryRun> runs(History history, Predicate<HistoryRun> wanted) {
        return history.runs().stream().filter(wanted).toList();
    }

    /** Series of the newest run of each scenario, since a benchmark tracker assigns values to the current commit. */
    private static List<FigureSeries> newest(List<FigureSeries> all, History history, Predicate<HistoryRun> wanted) {
        List<HistoryRun> runs = runs(history, wanted);
        return all.stream().filter(series -> goesOn(series, runs, 1)).toList();
    }

    /** Whether one of the scenario's newest runs has the figure. */
    private static boolean goesOn(FigureSeries series, List<HistoryRun> all, int newest) {
        List<HistoryRun> its =
                all.stream().filter(run -> run.name().equals(series.scenario())).toList();
        return its.subList(Math.max(0, its.size() - newest), its.size()).stream()
                .anyMatch(series.runs()::contains);
    }

    private String text(History history, Predicate<HistoryRun> wanted, List<FigureSeries> series) {
        Look look = look();
        if (!series.isEmpty()) {
            return String.join(
                            "\n\n",
                            series.stream()
                                    .map(s -> String.join("\n", HistoryText.series(s, look)))
                                    .toList())
                    + "\n";
        }
        List<HistoryRun> runs = runs(history, wanted);
        List<HistoryRun> shown = runs.subList(Math.max(0, runs.size() - last), runs.size());
        String counted =
                Sentence.of("cli.history.runs", shown.size(), runs.size()).in(language());
        return HistoryText.runs(shown, look) + counted + "\n";
    }

    /** {@code plimsoll history check}: whether the newest runs are worse. */
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
            require(!of.figures.isEmpty(), "cli.exactlyOne", List.of("--figure"));
            try (History history = of.open()) {
                of.figures.forEach(f -> require(FigureSeries.moreIsBetter(f).isPresent(), "cli.history.noSide", f));
                Predicate<HistoryRun> wanted = of.wanted(this);
                List<FigureSeries> all = of.series(history, wanted);
                List<FigureSeries> goOn = all.stream()
                        .filter(series -> goesOn(series, runs(history, wanted), newest))
                        .toList();
                boolean worse = false;
                boolean undecided = false;
                for (FigureSeries series : all) {
                    if (goOn.contains(series)) {
                        worse |= told(series, allowed);
                        undecided |= !allowShort && !series.tellsChanges();
                    } else {
                        check(Mark.UNKNOWN, series, Sentence.of("cli.history.gone", newest));
                    }
                }
                boolean each = of.figures.stream()
                        .allMatch(f -> goOn.stream().anyMatch(s -> s.figure().equals(f)));
                return worse ? Exit.REGRESSION : each && !undecided ? Exit.PASSED : Exit.INVALID_MEASUREMENT;
            }
        }

        private void check(Mark mark, FigureSeries series, Sentence told) {
            Sentence said = Sentence.of("text.at", HistoryText.title(series), told);
            out().println(mark.before(said.in(language()), look()));
        }

        private boolean told(FigureSeries series, double allowed) {
            Optional<Shift> regression = series.regression(allowed, newest);
            Optional<Shift> ofHost =
                    series.recent(newest).stream().filter(series::ofHost).reduce((first, second) -> second);
            Sentence told = regression
                    .or(() -> ofHost)
                    .map(shift -> HistoryText.sentence(series, shift))
                    .orElse(
                            series.tellsChanges()
                                    ? Sentence.of("cli.history.notWorse", newest)
                                    : HistoryText.sentences(series).get(0));
            Mark mark = regression.isPresent() ? Mark.BAD : series.tellsChanges() ? Mark.GOOD : Mark.UNKNOWN;
            check(mark, series, told);
            if (series.tellsChanges() && series.sinceLast() < History.SHORTEST) {
                print("report.history.shortSince", series.sinceLast(), History.SHORTEST);
            }
            if (series.leftOut() > 0) {
                print("report.history.leftOut", series.leftOut());
            }
            return regression.isPresent();
        }
    }

    /** Selects runs and figures of a history. */
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
            Instant from = since == null
                    ? Instant.EPOCH
                    : Instant.now().minus(command.read("--since", since, Quantities::duration));
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
