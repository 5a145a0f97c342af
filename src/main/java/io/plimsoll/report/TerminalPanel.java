package io.plimsoll.report;

import io.plimsoll.Daemon;
import io.plimsoll.measure.Latencies;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.SearchView.Tried;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A panel that is redrawn in place at most four times a second. {@link #close} or a signal removes it and restores the
 * cursor. Thread-safe.
 */
public final class TerminalPanel extends LiveState {
    private static final long REDRAW_MILLIS = 250;
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String CLEAR_REST = "\u001b[K";

    record Size(int columns, int rows) {}

    interface Screen {
        Size size();

        /** Queries the size of the terminal again; called by one thread between drawings. */
        void refresh();
    }

    private final PrintStream out;
    private final Screen screen;
    private final Look look;
    private final LongSupplier nanoTime;
    private final Thread restoreCursor = new Thread(this::restoreCursor, "panel-restore-cursor");
    private final ScheduledExecutorService redraws =
            Executors.newSingleThreadScheduledExecutor(Daemon.factory("panel"));
    private List<Integer> drawnWidths = List.of();
    private boolean closed;

    TerminalPanel(PrintStream out, Screen screen, boolean color, Language language, LongSupplier nanoTime) {
        this.out = out;
        this.screen = screen;
        this.look = new Look(0, color, language);
        this.nanoTime = nanoTime;
    }

    TerminalPanel start() {
        Runtime.getRuntime().addShutdownHook(restoreCursor);
        var unused = redraws.scheduleAtFixedRate(this::redraw, 0, REDRAW_MILLIS, TimeUnit.MILLISECONDS);
        return this;
    }

    private void redraw() {
        // Outside of the lock, because progress reports must not wait for the terminal.
        screen.refresh();
        draw();
    }

    @Override
    public synchronized void phase(@Nullable String trial, String phase, double fraction, double etaSeconds) {
        phase(trial, phase, fraction, etaSeconds, nanoTime.getAsLong());
    }

    @Override
    public synchronized void note(Sentence sentence) {
        String text = sentence.in(look.language());
        if (closed) {
            out.println(Text.printable(text));
            return;
        }
        Size size = screen.size();
        out.print(toFirstRow(size) + Text.printable(text) + CLEAR_REST + "\n" + CLEAR_BELOW);
        drawnWidths = List.of();
        draw();
    }

    synchronized void draw() {
        if (closed) {
            return;
        }
        Size size = screen.size();
        // A line as wide as the terminal would move the cursor to the next row. One row is reserved for the cursor.
        int width = Math.max(1, size.columns() - 1);
        List<String> lines = new LivePanel(look.ofWidth(width)).lines(figures(nanoTime.getAsLong()));
        lines = lines.subList(0, Math.max(0, Math.min(lines.size(), size.rows() - 1)));
        StringBuilder frame = new StringBuilder(HIDE_CURSOR).append(toFirstRow(size));
        lines.forEach(line -> frame.append(line).append(CLEAR_REST).append('\n'));
        frame.append(CLEAR_BELOW);
        out.print(frame);
        out.flush();
        drawnWidths = lines.stream().map(TerminalPanel::visibleWidth).toList();
    }

    /** The control sequence that removes the panel and moves the cursor to the panel's first row. */
    private String erase(Size size) {
        int rows = rowsAbove(size);
        if (rows == 0) {
            return "\r" + CLEAR_REST;
        }
        // Cleared row by row, because some terminals keep a fully cleared screen in their history. The cursor's row can
        // show ^C.
        return "\r" + CLEAR_REST + toFirstRow(size) + (CLEAR_REST + "\n").repeat(rows) + up(rows) + "\r";
    }

    private String toFirstRow(Size size) {
        return up(rowsAbove(size)) + "\r";
    }

    private static String up(int rows) {
        return rows > 0 ? "\u001b[" + rows + "A" : "";
    }

    /** Number of rows from the panel's first row to the cursor; a narrowed terminal has wrapped long lines. */
    private int rowsAbove(Size size) {
        int columns = Math.max(1, size.columns());
        int rows = drawnWidths.stream()
                .mapToInt(w -> Math.max(1, (w + columns - 1) / columns))
                .sum();
        return Math.min(rows, Math.max(0, size.rows() - 1));
    }

    private static int visibleWidth(String line) {
        return Text.width(line.replaceAll("\u001b\\[[0-9;]*m", ""));
    }

    private void restoreCursor() {
        out.print(SHOW_CURSOR);
        out.flush();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            out.print(erase(screen.size()) + SHOW_CURSOR);
            out.flush();
        }
        if (redraws != null) {
            redraws.shutdownNow();
            try {
                Runtime.getRuntime().removeShutdownHook(restoreCursor);
            } catch (IllegalStateException e) {
                // The process is already ending, and the hook does no harm.
                return;
            }
        }
    }

    record LivePanel(Look look) {
        private static final int WIDEST = 100;
        private static final int CELL = 22;
        private static final int LABEL = 11;

        private String say(String key, Object... arguments) {
            return Sentence.of(key, arguments).in(look.language());
        }

        /** The lines of the panel: two outside of trials, up to eight within a trial. */
        List<String> lines(LiveState.LiveFigures figures) {
            int most = Math.min(look.width(), WIDEST);
            List<String> lines = new ArrayList<>();
            String phase = Sentence.term("report.phase.", figures.phase()).in(look.language());
            String title = figures.trial() == null ? phase : figures.trial() + " · " + phase;
            lines.add(look.bold(Text.cut(Text.printable(title), most)));
            lines.add(bar(figures, most));
            if (figures.search() != null) {
                lines.add(search(figures.search(), most));
            }
            if (figures.fault() != null) {
                lines.add(look.dim(Text.cut(Text.left(say("report.panel.fault"), LABEL), most))
                        + Mark.NOTE.paint(
                                Text.cut(
                                        Text.printable(figures.fault().in(look.language())), Math.max(0, most - LABEL)),
                                look));
            }
            if (figures.load() != null) {
                rows(figures.load()).forEach(row -> lines.addAll(lines(row, most)));
            }
            if (figures.checks() != null) {
                lines.add(checks(figures.checks(), most));
            }
            return lines;
        }

        private String checks(Checked checks, int width) {
            int missed = checks.missed().size();
            String label = Text.cut(Text.left(say("report.panel.checks"), LABEL), width);
            String held = say(
                    "report.panel.checksHeld",
                    checks.held().size(),
                    checks.held().size() + missed);
            String text = missed == 0 ? held : held + " · ✗ " + String.join(" · ✗ ", checks.missed());
            text = Text.cut(Text.printable(text), Math.max(0, width - LABEL));
            return look.dim(label) + (missed == 0 ? text : Mark.BAD.paint(text, look));
        }

        private String search(SearchView view, int width) {
            String eta = view.etaSeconds() < 0
                    ? ""
                    : "   " + say("report.panel.forAll", Units.duration(Math.ceil(view.etaSeconds())));
            String label = Text.left(say("report.panel.search"), LABEL);
            String bracket = bracket(view, Math.max(1, width - LABEL - Text.width(eta)), look.language());
            return look.dim(Text.cut(label, width)) + Text.cut(bracket + eta, Math.max(0, width - LABEL));
        }

        private String bar(LiveState.LiveFigures figures, int width) {
            String eta = figures.etaSeconds() < 0
                    ? ""
                    : say("report.panel.left", Units.duration(Math.ceil(figures.etaSeconds())));
            if (figures.fraction() < 0) {
                String elapsed = figures.elapsedSeconds() < 1
                        ? "…"
                        : say("report.panel.elapsed", Units.duration(Math.floor(figures.elapsedSeconds())));
                return look.dim(Text.cut(eta.isEmpty() ? elapsed : eta, width));
            }
            String percent = Text.right(Math.round(Math.min(1, figures.fraction()) * 100) + " %", 5);
            String tail = Text.cut("  " + percent + (eta.isEmpty() ? "" : "   " + eta), width);
            // Reserves space for the longest suffix, so that the bar keeps its length between drawings.
            int length = Math.max(0, Math.min(48, width - 24));
            int done = (int) Math.round(length * Math.min(1, figures.fraction()));
            return Mark.SAME.paint("█".repeat(done), look) + look.dim("░".repeat(length - done)) + tail;
        }

        private record Row(String label, List<String> cells, boolean alarming) {}

        private List<Row> rows(LiveState.Load load) {
            boolean produces = load.offered() > 0 || load.produced().records() > 0;
            String lag = load.lag() == null ? "" : say("report.panel.lag", Units.count(load.lag()));
            String generator = say("report.panel.generator", Units.decimals(load.cores(), 2));
            Row health = new Row(
                    say("report.panel.errors"), List.of(Units.count(load.errors()), generator, lag), load.errors() > 0);
            if (!produces) {
                List<String> flow = List.of(
                        Units.rate(load.consumed().records()) + "/s",
                        Units.byteRate(load.consumed().bytes()));
                return List.of(new Row(say("report.panel.consumed"), flow, false), health);
            }
            List<String> flow = List.of(
                    Units.rate(load.offered()) + "/s",
                    say("report.panel.achieved", Units.rate(load.produced().records())),
                    Units.byteRate(load.produced().bytes()));
            Latencies times = load.response();
            List<String> response = List.of(
                    "p50 " + (times.isEmpty() ? Table.NONE : Units.micros(times.percentileMicros(50))),
                    "p99 " + (times.isEmpty() ? Table.NONE : Units.micros(times.percentileMicros(99))),
                    "max " + (times.isEmpty() ? Table.NONE : Units.micros(times.maxMicros())));
            return List.of(
                    new Row(say("report.panel.offered"), flow, false),
                    new Row(say("report.panel.response"), response, false),
                    health);
        }

        private List<String> lines(Row row, int width) {
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
                lines.add(look.dim(Text.cut(label, width)) + (row.alarming() ? Mark.BAD.paint(text, look) : text));
            }
            return lines;
        }

        private static final int MOST_SHOWN = 5;

        /** Loads around the ceiling on a line, such as {@code [45,000 ✓ ·· 85,000 ? ·· 91,000 ✗]}. */
        static String bracket(SearchView view, int width, Language language) {
            String text = bracket(near(view, MOST_SHOWN), view, language);
            for (int most = MOST_SHOWN - 1; Text.width(text) > width && most > 1; most--) {
                text = bracket(near(view, most), view, language);
            }
            return Text.cut(text, width);
        }

        private static String bracket(List<Tried> tried, SearchView view, Language language) {
            double load = view.load();
            boolean known = tried.stream().anyMatch(t -> t.load() == load);
            Stream<String> marks = Double.isInfinite(load) || known
                    ? tried.stream().map(t -> mark(t, view))
                    : Stream.of(
                                    tried.stream().filter(t -> t.load() < load).map(t -> mark(t, view)),
                                    Stream.of(load(load, view) + " ?"),
                                    tried.stream().filter(t -> t.load() > load).map(t -> mark(t, view)))
                            .flatMap(s -> s);
            List<String> all = marks.toList();
            return "["
                    + (all.isEmpty() ? Sentence.of("report.search.closedLoop").in(language) : String.join(" ·· ", all))
                    + "]";
        }

        private static String mark(Tried tried, SearchView view) {
            return load(tried.load(), view) + (tried.passed() ? " ✓" : " ✗") + (tried.load() == view.load() ? "?" : "");
        }

        private static String load(double load, SearchView view) {
            return view.inBytes() ? Units.byteRate(load) : Units.about(load);
        }

        /** The tried loads closest to the current load or, during a closed-loop trial, the highest tried loads. */
        private static List<Tried> near(SearchView view, int most) {
            double centre = Double.isInfinite(view.load()) ? Double.MAX_VALUE : view.load();
            return view.tried().stream()
                    .sorted(Comparator.comparingDouble(t -> Math.abs(Math.log(t.load() / centre))))
                    .limit(most)
                    .sorted(Comparator.comparingDouble(Tried::load))
                    .toList();
        }
    }
}
