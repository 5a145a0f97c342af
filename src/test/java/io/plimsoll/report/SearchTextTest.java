package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.report.TerminalPanel.LivePanel;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.SearchView.Tried;
import io.plimsoll.text.Language;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sentences about a search match its bounds. */
class SearchTextTest {
    private static SearchView view(double load, Tried... tried) {
        return new SearchView(load, false, "bisect", 3, 100, List.of(tried), "");
    }

    @Test
    void showsTriedLoadBetweenPassedAndFailedOnes() {
        SearchView view = view(412_000, new Tried(300_000, true), new Tried(480_000, false));
        assertThat(LivePanel.bracket(view, 80, Language.EN)).isEqualTo("[300,000 ✓ ·· 412,000 ? ·· 480,000 ✗]");
        assertThat(view.lower()).isEqualTo(300_000);
        assertThat(view.upper()).isEqualTo(480_000);
    }

    @Test
    void marksRetriedLoadInPlace() {
        assertThat(LivePanel.bracket(view(300, new Tried(300, true), new Tried(480, false)), 80, Language.EN))
                .isEqualTo("[300 ✓? ·· 480 ✗]");
    }

    @Test
    void showsOnlyNearestLoadsInNarrowWidth() {
        SearchView view = view(
                400,
                new Tried(100, true),
                new Tried(200, true),
                new Tried(390, true),
                new Tried(410, false),
                new Tried(800, false));
        assertThat(LivePanel.bracket(view, 30, Language.EN)).isEqualTo("[390 ✓ ·· 400 ? ·· 410 ✗]");
        assertThat(LivePanel.bracket(view, 10, Language.EN)).hasSizeLessThanOrEqualTo(10);
    }

    @Test
    void showsNoBoundsAtFirst() {
        SearchView view = view(Double.POSITIVE_INFINITY);
        assertThat(LivePanel.bracket(view, 40, Language.EN)).isEqualTo("[at full speed]");
        assertThat(view.lower()).isNaN();
        assertThat(view.upper()).isNaN();
    }
}
