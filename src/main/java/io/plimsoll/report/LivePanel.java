package io.plimsoll.report;

import io.plimsoll.report.LiveFigures.Load;
import io.plimsoll.report.LiveFigures.Response;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.Units;
import java.util.ArrayList;
import java.util.List;

/** What the live panel looks like; where and when it is drawn is {@link TerminalPanel}'s. Pure. */
final class LivePanel {
    private static final int WIDEST = 100;
    private static final int CELL = 22;
    private static final int LABEL = 11;

    private LivePanel() {}

    /**
     * @param width of the terminal; no line is longer
     * @return two lines outside of trials, up to seven within
     */
    static List<String> lines(LiveFigures figures, int width, Ansi ansi) {
        int most = Math.min(width, WIDEST);
        List<String> lines = new ArrayList<>();
        String title = figures.trial() == null ? figures.phase() : figures.trial() + " · " + figures.phase();
        lines.add(ansi.bold(Text.cut(Text.printable(title), most)));
        lines.add(bar(figures, most, ansi));
        if (figures.search() != null) {
            lines.add(search(figures.search(), most, ansi));
        }
        if (figures.fault() != null) {
            lines.add(ansi.dim(Text.cut(Text.left("fault", LABEL), most))
                    + ansi.attention(Text.cut(Text.printable(figures.fault()), Math.max(0, most - LABEL))));
        }
        if (figures.load() != null) {
            rows(figures.load()).forEach(row -> lines.addAll(lines(row, most, ansi)));
        }
        return lines;
    }

    private static String search(SearchView view, int width, Ansi ansi) {
        String eta = view.etaSeconds() < 0 ? "" : "   " + Units.duration(Math.ceil(view.etaSeconds())) + " for all";
        String label = Text.left("search", LABEL);
        String bracket = SearchText.bracket(view, Math.max(1, width - LABEL - Text.width(eta)));
        return ansi.dim(Text.cut(label, width)) + Text.cut(bracket + eta, Math.max(0, width - LABEL));
    }

    private static String bar(LiveFigures figures, int width, Ansi ansi) {
        String eta = figures.etaSeconds() < 0 ? "" : Units.duration(Math.ceil(figures.etaSeconds())) + " left";
        if (figures.fraction() < 0) {
            return ansi.dim(Text.cut(eta.isEmpty() ? "…" : eta, width));
        }
        String percent = Text.right(Math.round(Math.min(1, figures.fraction()) * 100) + " %", 5);
        String tail = Text.cut("  " + percent + (eta.isEmpty() ? "" : "   " + eta), width);
        // Room for the longest tail, so that the bar keeps its length from one drawing to the next.
        int length = Math.max(0, Math.min(48, width - 24));
        int done = (int) Math.round(length * Math.min(1, figures.fraction()));
        return ansi.accent("█".repeat(done)) + ansi.dim("░".repeat(length - done)) + tail;
    }

    /** @param cells shown side by side as far as there is room */
    private record Row(String label, List<String> cells, boolean alarming) {}

    private static List<Row> rows(Load load) {
        boolean produces = load.offered() > 0 || load.produced().records() > 0;
        String lag = load.lag() == null ? "" : "lag " + Units.count(load.lag());
        String generator = "generator " + Units.decimals(load.cores(), 2) + " cores";
        Row health = new Row("errors", List.of(Units.count(load.errors()), generator, lag), load.errors() > 0);
        if (!produces) {
            List<String> flow = List.of(
                    Units.rate(load.consumed().records()) + "/s",
                    Units.byteRate(load.consumed().bytes()));
            return List.of(new Row("consumed", flow, false), health);
        }
        List<String> flow = List.of(
                Units.rate(load.offered()) + "/s",
                "achieved " + Units.rate(load.produced().records()) + "/s",
                Units.byteRate(load.produced().bytes()));
        Response times = load.response();
        List<String> response = List.of(
                "p50 " + (times == null ? Table.NONE : Units.micros(times.p50())),
                "p99 " + (times == null ? Table.NONE : Units.micros(times.p99())),
                "max " + (times == null ? Table.NONE : Units.micros(times.max())));
        return List.of(new Row("offered", flow, false), new Row("response", response, false), health);
    }

    private static List<String> lines(Row row, int width, Ansi ansi) {
        int perLine = Math.max(1, (width - LABEL) / CELL);
        List<String> lines = new ArrayList<>();
        for (int first = 0; first < row.cells().size(); first += perLine) {
            StringBuilder cells = new StringBuilder();
            for (String cell : row.cells()
                    .subList(first, Math.min(first + perLine, row.cells().size()))) {
                cells.append(Text.left(cell, CELL));
            }
            String label = Text.left(first == 0 ? row.label() : "", LABEL);
            String text = Text.cut(cells.toString().stripTrailing(), Math.max(0, width - LABEL));
            lines.add(ansi.dim(Text.cut(label, width)) + (row.alarming() ? ansi.bad(text) : text));
        }
        return lines;
    }
}
