package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.RunResult;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.text.Language;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Guards that table columns are aligned, on any terminal width. */
class TableTest {
    private static final Table<String> TABLE = new Table<>(
            List.of(
                    Table.Column.text("side", s -> s),
                    Table.Column.text("from", s -> "/somewhere/that/is/far/longer/than/a/terminal/is/wide/" + s)),
            List.of("A", "B"));

    private static final Look NARROW = new Look(20, false, Language.EN);

    @Test
    void alignsColumnsThatCannotBeShortened() {
        TableLayout layout = new TableLayout(TABLE, NARROW, 0);
        assertThat(Samples.lines(layout))
                .allSatisfy(line -> assertThat(line.substring(4, 7)).isBlank());
        assertThat(layout.bands.get(0).rows().get(0)).startsWith("A      /somewhere");
    }

    /** As texts, 1.2 s would come before 12 ms. */
    @Test
    void figuresHaveSortKeys() {
        List<Second> seconds = Stream.generate(
                        () -> new Second(5000, Timelines.spread(5000, 900, 63_000)).labeled("team=payments"))
                .limit(10)
                .toList();
        RunResult labeled =
                Timelines.oneTrial(Timelines.plan(true), seconds, Timelines.trialEnded("steady-load", 10, 50_000, 0));
        for (Table<?> table : List.of(RunTables.labels(labeled.trials()), RunTables.scaling(Samples.matrix()))) {
            Table.Grid grid = table.grid();
            assertThat(grid.rows()).isNotEmpty();
            for (Table.Grid.Row row : grid.rows()) {
                for (int i = 0; i < grid.columns().size(); i++) {
                    String text = row.cells().get(i).english();
                    assertThat(row.values().get(i) != null)
                            .as(grid.columns().get(i).label() + ": " + text)
                            .isEqualTo(grid.columns().get(i).number() && !text.equals(Table.NONE));
                }
            }
        }
    }

    private static Table<String> columns(int rows) {
        return new Table<>(
                List.of(
                        Table.Column.named("name", false, 0, s -> s),
                        Table.Column.named("least", true, 9, s -> "least"),
                        Table.Column.named("most", true, 0, s -> "most"),
                        Table.Column.named("more", true, 1, s -> "more")),
                IntStream.range(0, rows).mapToObj(i -> "row" + i).toList());
    }

    @Test
    void wrapsLessImportantColumnsBelow() {
        TableLayout layout = new TableLayout(columns(2), NARROW, 0);
        assertThat(layout.leftOut).isEmpty();
        assertThat(Samples.lines(layout))
                .containsExactly(
                        "name   most   more",
                        "row0   most   more",
                        "row1   most   more",
                        "name   least",
                        "row0   least",
                        "row1   least");
    }

    @Test
    void longTableNamesOmittedColumns() {
        TableLayout layout = new TableLayout(columns(40), NARROW, 0);
        assertThat(layout.bands).hasSize(1);
        assertThat(layout.leftOut).containsExactly("least");
    }
}
