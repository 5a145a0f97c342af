package io.plimsoll.report;

import io.plimsoll.result.SearchView;
import io.plimsoll.result.SearchView.Tried;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** How a search is shown while it goes on. Pure. */
final class SearchText {
    private static final int MOST_SHOWN = 5;

    private SearchText() {}

    /** Loads around the ceiling on a line, such as {@code [45,000 ✓ ·· 85,000 ? ·· 91,000 ✗]}. */
    static String bracket(SearchView view, int width, Language language) {
        String text = line(near(view, MOST_SHOWN), view, language);
        for (int most = MOST_SHOWN - 1; Text.width(text) > width && most > 1; most--) {
            text = line(near(view, most), view, language);
        }
        return Text.cut(text, width);
    }

    private static String line(List<Tried> tried, SearchView view, Language language) {
        double load = view.load();
        boolean known = tried.stream().anyMatch(t -> t.load() == load);
        Stream<String> marks = Double.isInfinite(load) || known
                ? tried.stream().map(t -> mark(t, view))
                : Stream.of(
                                tried.stream().filter(t -> t.load() < load).map(t -> mark(t, view)),
                                Stream.of(text(load, view) + " ?"),
                                tried.stream().filter(t -> t.load() > load).map(t -> mark(t, view)))
                        .flatMap(s -> s);
        List<String> all = marks.toList();
        return "[" + (all.isEmpty() ? Sentence.of("report.search.closedLoop").in(language) : String.join(" ·· ", all))
                + "]";
    }

    private static String mark(Tried tried, SearchView view) {
        return text(tried.load(), view) + (tried.passed() ? " ✓" : " ✗") + (tried.load() == view.load() ? "?" : "");
    }

    private static String text(double load, SearchView view) {
        return view.inBytes() ? Units.byteRate(load) : Units.about(load);
    }

    /** Those that are nearest to the load being tried; where none is, the highest. */
    private static List<Tried> near(SearchView view, int most) {
        double centre = Double.isInfinite(view.load()) ? Double.MAX_VALUE : view.load();
        return view.tried().stream()
                .sorted(Comparator.comparingDouble(t -> Math.abs(Math.log(t.load() / centre))))
                .limit(most)
                .sorted(Comparator.comparingDouble(Tried::load))
                .toList();
    }
}
