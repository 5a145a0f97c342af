package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.text.Language;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Guards that columns of a table stand below each other, however narrow the terminal. */
class TableTest {
    private static final Table<String> TABLE = new Table<>(
            List.of(
                    Table.Column.text("side", s -> s),
                    Table.Column.text("from", s -> "/somewhere/that/is/far/longer/than/a/terminal/is/wide/" + s)),
            List.of("A", "B"));

    private static final Look NARROW = new Look(20, false, Language.EN);

    @Test
    void columnsStandBelowEachOtherWhereNothingCanBeCut() {
        assertThat(TABLE.lines(NARROW).all())
                .allSatisfy(line -> assertThat(line.substring(4, 7)).isBlank());
        assertThat(TABLE.lines(NARROW).rows().get(0)).startsWith("A      /somewhere");
    }
}
