package io.plimsoll.history;

import io.plimsoll.Exit;
import io.plimsoll.report.Mark;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.stats.ChangePoints;
import io.plimsoll.text.Sentence;
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

/** {@code plimsoll history}: shows figures over many runs, and their changes. */
@Command(name = "history", subcommands = HistoryCommand.Check.class)
public final class HistoryCommand extends HistoryQuery {
    private static final List<String> FORMATS =
            List.of("terminal", "html", "csv", "json", "benchmark-smaller", "benchmark-bigger");

    @Option(names = "--last", paramLabel = "N", defaultValue = "40")
    int last;

    @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "terminal")
    String format;

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    protected Exit execute() {
        require(FORMATS.contains(format), "cli.noFormat", format, FORMATS);
        require(last >= 1, "cli.expected", "--last", Sentence.of("cli.a.orMore", 1), last);
        // The other formats contain only figures.
        boolean ofRuns = format.equals("terminal") || format.equals("json");
        require(ofRuns || !figures.isEmpty(), "cli.missing", "--figure");
        Predicate<HistoryRun> wanted = wanted();
        try (History history = open()) {
            List<HistoryRun> runs = history.runs().stream().filter(wanted).toList();
            List<FigureSeries> series = series(history, wanted);
            // A benchmark tracker assigns each value to the current commit.
            List<FigureSeries> current =
                    series.stream().filter(s -> isCurrent(s, runs, 1)).toList();
            output.write(
                    switch (format) {
                        case "html" -> HistoryPage.render(series, language());
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
    static final class Check extends HistoryQuery {
        @Option(names = "--tolerance", paramLabel = "PERCENT", defaultValue = "5%")
        String tolerance;

        @Option(names = "--newest", paramLabel = "N", defaultValue = "20")
        int newest;

        @Option(names = "--allow-short")
        boolean allowShort;

        @Override
        protected Exit execute() {
            double allowed = read("--tolerance", tolerance, Quantities::ratio);
            Sentence least = Sentence.of("cli.a.orMore", ChangePoints.LEAST);
            require(newest >= ChangePoints.LEAST, "cli.expected", "--newest", least, newest);
            require(!figures.isEmpty(), "cli.missing", "--figure");
            Predicate<HistoryRun> wanted = wanted();
            try (History history = open()) {
                figures.forEach(f -> require(FigureSeries.moreIsBetter(f).isPresent(), "cli.history.noSide", f));
                List<HistoryRun> runs = history.runs().stream().filter(wanted).toList();
                Set<String> decided = new HashSet<>();
                boolean worse = false;
                boolean undecided = false;
                for (FigureSeries series : series(history, wanted)) {
                    if (isCurrent(series, runs, newest)) {
                        decided.add(series.figure());
                        worse |= reportChange(series, allowed);
                        undecided |= !allowShort && !series.canShowChanges();
                    } else {
                        check(Mark.UNKNOWN, series, Sentence.of("cli.history.gone", newest));
                    }
                }
                undecided |= !decided.containsAll(figures);
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
}
