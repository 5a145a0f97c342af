package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.Fold;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.Timelines;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.Reference;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Browser;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every output shows every published cell and column of the reports that scenarios repeat, at any width. */
@ExtendWith(Browser.Shared.class)
@Execution(ExecutionMode.SAME_THREAD)
class PublishedCellsTest {
    @TempDir
    Path directory;

    static Stream<String> scenarios() {
        return BuiltIns.names().stream()
                .filter(n ->
                        plan(n).filter(r -> !r.source().english().isEmpty()).isPresent());
    }

    private static Optional<Reference> plan(String scenario) {
        return ScenarioReader.read(BuiltIns.text(scenario).orElseThrow(), scenario, List.of(), 1)
                .reference();
    }

    private static RunResult result(String scenario) {
        List<TimelineEvent> events = new ArrayList<>(Timelines.quick());
        TimelineEvent.RunStarted plain = (TimelineEvent.RunStarted) events.get(0);
        events.set(
                0,
                new TimelineEvent.RunStarted(
                        plain.name(),
                        plain.at(),
                        plain.command(),
                        plain.tool(),
                        plain.environment(),
                        plain.scenario(),
                        plain.seed(),
                        1,
                        plan(scenario).orElseThrow(),
                        List.of()));
        return Fold.fold(events.stream());
    }

    /** The number of occurrences of each text in the tables: nonempty published cells, and the names of columns. */
    private static Map<String, Integer> published(RunResult result, Language language, Function<String, String> shown) {
        Map<String, Integer> cells = new HashMap<>();
        for (ReferenceTable table : result.published().tables()) {
            Stream.concat(
                            table.columns().stream().map(ReferenceTable.Column::name),
                            table.rows().stream().flatMap(row -> row.published().stream()))
                    .filter(s -> s != null && !s.english().isEmpty())
                    .map(s -> shown.apply(s.in(language)))
                    .forEach(s -> cells.merge(s, 1, Integer::sum));
        }
        return cells;
    }

    /** @param parts the text between separators of cells */
    private static void assertAllIn(Stream<String> parts, Map<String, Integer> cells) {
        Map<String, Long> times = parts.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        cells.forEach((cell, least) ->
                assertThat(times.getOrDefault(cell, 0L)).as(cell).isGreaterThanOrEqualTo(least));
    }

    /** Cells are between two or more spaces, in tables that are never wider than the terminal. */
    @ParameterizedTest
    @MethodSource("scenarios")
    void terminalShowsEveryCellAtAnyWidth(String scenario) {
        RunResult result = result(scenario);
        for (Language language : Language.values()) {
            Map<String, Integer> cells = published(result, language, Function.identity());
            for (int width : List.of(80, 100, 240)) {
                Look look = new Look(width, false, language);
                String text = RunReport.terminal(result, look);
                assertAllIn(text.lines().flatMap(line -> Stream.of(line.split(" {2,}"))), cells);
                for (ReferenceTable table : result.published().tables()) {
                    TableLayout layout = new TableLayout(ReferenceText.table(table, true), look.ofWidth(width - 2), 0);
                    assertThat(layout.leftOut).isEmpty();
                    assertThat(Samples.lines(layout)).isNotEmpty().allSatisfy(line -> assertThat(Text.width(line))
                            .isLessThanOrEqualTo(width - 2));
                }
            }
            String plain = RunReport.terminal(result, Look.plain(language));
            cellsOnly(result, language).forEach((cell, times) -> assertThat(plain.split(Pattern.quote(cell), -1))
                    .as(cell)
                    .hasSizeGreaterThan(times));
        }
    }

    private static Map<String, Integer> cellsOnly(RunResult result, Language language) {
        Map<String, Integer> cells = new HashMap<>();
        result.published().tables().stream()
                .flatMap(t -> t.rows().stream())
                .flatMap(row -> row.published().stream())
                .filter(s -> s != null)
                .forEach(s -> cells.merge(s.in(language), 1, Integer::sum));
        return cells;
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void markdownShowsEveryCell(String scenario) {
        RunResult result = result(scenario);
        for (Language language : Language.values()) {
            String text = RunReport.markdown(result, language);
            assertAllIn(
                    text.lines()
                            .flatMap(line -> Stream.of(line.split("(^| )\\|( |$)")))
                            .map(String::strip),
                    published(result, language, Markdown::escape));
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void pageShowsEveryCell(String scenario, Browser browser) throws IOException {
        RunDirectory run = RecordedRuns.open("quick", directory.resolve("run"));
        for (Language language : Language.values()) {
            RunResult result = result(scenario);
            browser.open(Files.writeString(
                    directory.resolve(language.code() + ".html"), HtmlReport.render(run, result, language)));
            @SuppressWarnings("unchecked")
            List<String> shown = (List<String>) browser.run("""
                    return [...document.querySelectorAll('#trials th, #trials td')].map(c => {
                      const measured = c.querySelector('small');
                      return c.textContent.slice(0, c.textContent.length - (measured ? measured.textContent.length : 0)).trim();
                    })\
                    """);
            published(result, language, Function.identity()).forEach((cell, times) -> assertThat(
                            shown.stream().filter(cell::equals).count())
                    .as(cell)
                    .isGreaterThanOrEqualTo(times));
        }
    }
}
