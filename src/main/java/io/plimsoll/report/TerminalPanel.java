package io.plimsoll.report;

import io.plimsoll.Daemon;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Progress as a panel that is redrawn in place, four times a second at most. The panel is gone after {@link #close},
 * and the cursor, which is hidden meanwhile, is back, also when the process is ended by a signal. Thread-safe.
 */
public final class TerminalPanel extends LiveState {
    private static final long REDRAW_MILLIS = 250;
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final String CLEAR_REST = "\u001b[K";

    record Size(int columns, int rows) {}

    /** Where the panel is drawn. */
    interface Screen {
        /** As known; returns at once. */
        Size size();

        /** May take a moment to ask the terminal again; called by one thread between drawings. */
        void refresh();
    }

    private final PrintStream out;
    private final Screen screen;
    private final Ansi ansi;
    private final Language language;
    private final LongSupplier nanoTime;
    private final Thread restoreCursor = new Thread(this::restoreCursor, "panel-restore-cursor");
    private ScheduledExecutorService redraws;
    private List<Integer> drawnWidths = List.of();
    private boolean closed;

    TerminalPanel(PrintStream out, Screen screen, boolean color, Language language, LongSupplier nanoTime) {
        this.language = language;
        this.out = out;
        this.screen = screen;
        this.ansi = new Ansi(color);
        this.nanoTime = nanoTime;
    }

    TerminalPanel start() {
        Runtime.getRuntime().addShutdownHook(restoreCursor);
        redraws = Executors.newSingleThreadScheduledExecutor(Daemon.factory("panel"));
        var unused = redraws.scheduleAtFixedRate(this::redraw, 0, REDRAW_MILLIS, TimeUnit.MILLISECONDS);
        return this;
    }

    private void redraw() {
        // Outside of the lock: who reports progress does not wait for the terminal.
        screen.refresh();
        draw();
    }

    @Override
    public synchronized void phase(String trial, String phase, double fraction, double etaSeconds) {
        phase(trial, phase, fraction, etaSeconds, nanoTime.getAsLong());
    }

    @Override
    public synchronized void note(Sentence sentence) {
        String text = sentence.in(language);
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
        // A line as wide as the terminal would move the cursor on, and one row is left for the cursor.
        int width = Math.max(1, size.columns() - 1);
        List<String> lines = LivePanel.lines(figures(nanoTime.getAsLong()), width, ansi, language);
        lines = lines.subList(0, Math.max(0, Math.min(lines.size(), size.rows() - 1)));
        StringBuilder frame = new StringBuilder(HIDE_CURSOR).append(toFirstRow(size));
        lines.forEach(line -> frame.append(line).append(CLEAR_REST).append('\n'));
        frame.append(CLEAR_BELOW);
        out.print(frame);
        out.flush();
        drawnWidths = lines.stream().map(TerminalPanel::visibleWidth).toList();
    }

    /** The panel is gone, and the cursor where its first row was. */
    private String erase(Size size) {
        int rows = rowsAbove(size);
        if (rows == 0) {
            return "\r" + CLEAR_REST;
        }
        // Row by row: some terminals keep a screen that is cleared as a whole in their history.
        // On the row of the cursor a terminal may have shown ^C.
        return "\r" + CLEAR_REST + toFirstRow(size) + (CLEAR_REST + "\n").repeat(rows) + up(rows) + "\r";
    }

    private String toFirstRow(Size size) {
        return up(rowsAbove(size)) + "\r";
    }

    private static String up(int rows) {
        return rows > 0 ? "\u001b[" + rows + "A" : "";
    }

    /** Rows from the panel's first to the cursor; a terminal made narrower has broken long lines in several. */
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
                // The process is ending already; the hook does no harm.
                return;
            }
        }
    }
}
