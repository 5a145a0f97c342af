package io.plimsoll.report;

import io.plimsoll.result.SearchView;
import io.plimsoll.result.SearchView.Tried;
import io.plimsoll.result.Units;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** How a search is shown while it goes on. Pure. */
final class SearchText {
    private static final int MOST_SHOWN = 5;

    private SearchText() {}

    /** Loads around the ceiling on a line, such as {@code [45,000 ✓ ·· 85,000 ? ·· 91,000 ✗]}. */
    static String bracket(SearchView view, int width) {
        String text = line(near(view, MOST_SHOWN), view.load());
        for (int most = MOST_SHOWN - 1; Text.width(text) > width && most > 1; most--) {
            text = line(near(view, most), view.load());
        }
        return Text.cut(text, width);
    }

    private static String line(List<Tried> tried, double load) {
        boolean known = tried.stream().anyMatch(t -> t.load() == load);
        Stream<String> marks = Double.isInfinite(load) || known
                ? tried.stream().map(t -> mark(t, load))
                : Stream.of(
                                tried.stream().filter(t -> t.load() < load).map(t -> mark(t, load)),
                                Stream.of(Units.about(load) + " ?"),
                                tried.stream().filter(t -> t.load() > load).map(t -> mark(t, load)))
                        .flatMap(s -> s);
        List<String> all = marks.toList();
        return "[" + (all.isEmpty() ? "as fast as it goes" : String.join(" ·· ", all)) + "]";
    }

    private static String mark(Tried tried, double load) {
        return Units.about(tried.load()) + (tried.passed() ? " ✓" : " ✗") + (tried.load() == load ? "?" : "");
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
