package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.bundle.UnpackedBundle;
import io.plimsoll.report.ComparisonText;
import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.TurnsFile;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll compare}: reports whether runs differ, by how much, and how confidently. */
@Command(name = "compare")
final class CompareCommand extends PlimsollCommand {
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
        Path first = Path.of(runs.get(0));
        Optional<Comparison> turns = Optional.empty();
        if (runs.size() == 1 && UnpackedBundle.isAt(first)) {
            turns = unpack(first).compareTurns(figures, allowed);
        } else if (runs.size() == 1 && TurnsFile.isIn(first)) {
            turns = Optional.of(TurnsFile.compare(first, figures, allowed));
        }
        Comparison comparison = turns.orElseGet(() -> Comparer.compare(sides(), figures, allowed));
        output.write(render(comparison), out());
        return Tolerance.exit(comparison);
    }

    private List<List<ComparedRun>> sides() {
        if (runs.size() == 1 && UnpackedBundle.isAt(Path.of(runs.get(0)))) {
            Path bundle = Path.of(runs.get(0));
            return runsAt(bundle).stream()
                    .map(run -> List.of(ComparedRun.read(run).as(bundle.resolve(run.getFileName()))))
                    .toList();
        }
        return runs.stream()
                .map(side -> Arrays.stream(side.split(","))
                        .map(Path::of)
                        .map(path -> ComparedRun.read(runAt(path)).as(path))
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
