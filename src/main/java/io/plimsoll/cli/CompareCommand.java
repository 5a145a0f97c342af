package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.report.ComparisonMarkdown;
import io.plimsoll.report.ComparisonText;
import io.plimsoll.report.Live;
import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.html.ComparisonPage;
import io.plimsoll.result.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says whether runs differ, by how much, and how sure that is. */
@Command(
        name = "compare",
        description = {
            "Compares runs with the first one: is there a difference, how large, how sure.",
            "Trials are paired by their parameters. What else was not the same, settings and hosts and versions, is"
                    + " listed first."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:compared, whatever was found",
            "2:a mistake in the command, or nothing to compare",
            "7:with --fail-on-regression: a figure is worse by more than that, for sure"
        })
final class CompareCommand extends PlimsollCommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "RUN",
            description =
                    "Directories of runs, or their result.json. Several runs of the same side are joined by commas:"
                            + " before1,before2,before3 after. A single one must have been made with run --ab.")
    List<String> runs;

    @Option(
            names = "--figure",
            paramLabel = "NAME",
            description = "Compares only this figure, such as produce.response.p99. Repeatable.")
    List<String> figures = new ArrayList<>();

    @Mixin
    Tolerance tolerance = new Tolerance();

    @Mixin
    LanguageOption lang = new LanguageOption();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    Exit perform() {
        OptionalDouble allowed = tolerance.share();
        List<List<ComparedRun>> sides = runs.stream()
                .map(side -> Arrays.stream(side.split(","))
                        .map(path -> ComparedRun.read(Path.of(path)))
                        .toList())
                .toList();
        Comparison comparison = Comparer.compare(sides, figures, allowed);
        output.write(render(comparison), out());
        return Tolerance.exit(comparison);
    }

    private String render(Comparison comparison) {
        boolean toFile = output.toFile();
        return switch (output.format) {
            case "terminal" ->
                ComparisonText.render(comparison, Live.width(System.getenv()), !toFile && Live.color(System.getenv()));
            case "md", "markdown" -> ComparisonMarkdown.render(comparison, lang.language());
            case "html" -> ComparisonPage.render(comparison, lang.language());
            case "json" -> Json.pretty(comparison);
            default ->
                throw mistake("There is no format '" + output.format + "': it is one of terminal, html, md and json.");
        };
    }
}
