package io.plimsoll.history;

import io.plimsoll.Exit;
import io.plimsoll.cli.ModuleCommand;
import io.plimsoll.scenario.Quantities;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Base of the commands about a history, with the options that select its runs and figures. */
abstract class HistoryQuery extends ModuleCommand.OfHistory {
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

    Predicate<HistoryRun> wanted() {
        Duration age = since == null ? null : read("--since", since, Quantities::duration);
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
