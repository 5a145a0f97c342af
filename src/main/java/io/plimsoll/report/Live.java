package io.plimsoll.report;

import io.plimsoll.result.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Chooses how output looks from where it goes. */
public final class Live {
    private static final int DEFAULT_WIDTH = 100;

    private Live() {}

    /**
     * Shows the progress of a run on standard error: as a panel on a terminal, as lines elsewhere.
     *
     * @param quiet shows nothing
     * @param environment of the process; {@code NO_COLOR} is obeyed, {@code TERM=dumb} means lines
     */
    public static Progress progress(boolean quiet, Map<String, String> environment) {
        if (quiet) {
            return Progress.NONE;
        }
        PrintStream err = System.err;
        Optional<Terminal> terminal = terminal(environment);
        if (terminal.isEmpty()) {
            return new LineProgress(err, System::nanoTime);
        }
        return new TerminalPanel(err, screen(terminal.get()), wantsColor(environment), System::nanoTime).start();
    }

    private static TerminalPanel.Screen screen(Terminal terminal) {
        return new TerminalPanel.Screen() {
            @Override
            public TerminalPanel.Size size() {
                Size size = terminal.getSize();
                return size.getColumns() > 0
                        ? new TerminalPanel.Size(size.getColumns(), size.getRows())
                        : new TerminalPanel.Size(DEFAULT_WIDTH, 24);
            }

            @Override
            public void close() {
                Live.close(terminal);
            }
        };
    }

    /** True if standard output is a terminal and colour is wanted there. */
    public static boolean color(Map<String, String> environment) {
        return isTerminal(environment) && wantsColor(environment);
    }

    /** Columns for a report on standard output: those of the terminal, if it is one, otherwise 100. */
    public static int width(Map<String, String> environment) {
        return terminal(environment)
                .map(terminal -> {
                    int columns = terminal.getSize().getColumns();
                    close(terminal);
                    return columns > 0 ? columns : DEFAULT_WIDTH;
                })
                .orElse(DEFAULT_WIDTH);
    }

    /** As {@code https://no-color.org} has it: set and not empty. */
    private static boolean wantsColor(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty();
    }

    private static boolean isTerminal(Map<String, String> environment) {
        String type = environment.getOrDefault("TERM", "dumb");
        return System.console() != null && !type.equals("dumb");
    }

    private static Optional<Terminal> terminal(Map<String, String> environment) {
        if (!isTerminal(environment)) {
            return Optional.empty();
        }
        try {
            // No handlers of its own for signals: an interrupt is the run's to handle.
            Terminal terminal = TerminalBuilder.builder()
                    .system(true)
                    .dumb(false)
                    .nativeSignals(false)
                    .build();
            return Optional.of(terminal);
        } catch (IOException | RuntimeException | LinkageError e) {
            return Optional.empty();
        }
    }

    private static void close(Terminal terminal) {
        try {
            terminal.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
