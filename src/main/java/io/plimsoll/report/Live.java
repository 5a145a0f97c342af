package io.plimsoll.report;

import io.plimsoll.LinuxRoot;
import io.plimsoll.result.Progress;
import io.plimsoll.text.Language;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Chooses the presentation of output for its destination. */
public final class Live {
    private static final int DEFAULT_WIDTH = 100;
    private static final Path STANDARD_ERROR = LinuxRoot.PATH.resolve("proc/self/fd/2");
    private static final Pattern TERMINALS = Pattern.compile("/dev/(pts/|tty|console).*");

    /** Environment variable equivalent to {@code --plain} if set and not empty. */
    public static final String PLAIN = "PLIMSOLL_PLAIN";

    /** @param environment {@code NO_COLOR} disables color; {@code TERM=dumb} and {@link #PLAIN} select output in lines */
    public static Progress progress(boolean quiet, Map<String, String> environment, Language language) {
        if (quiet) {
            return Progress.NONE;
        }
        PrintStream err = System.err;
        Optional<SttyScreen> screen = errorScreen(environment);
        if (screen.isEmpty()) {
            return new LiveState.LineProgress(err, language, System::nanoTime);
        }
        return new TerminalPanel(err, screen.get(), wantsColor(environment), language, System::nanoTime).start();
    }

    /**
     * The look of the terminal, or {@link Look#plain} on request. If standard output is not a terminal: 100 columns
     * without color.
     */
    public static Look look(Map<String, String> environment, Language language) {
        if (isSet(environment, PLAIN)) {
            return Look.plain(language);
        }
        int width = screen(environment).map(s -> s.size().columns()).orElse(DEFAULT_WIDTH);
        return new Look(width, isTerminal(environment) && wantsColor(environment), language);
    }

    /** Output with its long lines wrapped; unchanged for screen readers, and for programs that read lines. */
    public static String fitted(String text, Map<String, String> environment) {
        return fitted(text, screen(environment));
    }

    /** As {@link #fitted(String, Map)}, for standard error. */
    public static String fittedError(String text, Map<String, String> environment) {
        return fitted(text, errorScreen(environment));
    }

    private static String fitted(String text, Optional<SttyScreen> screen) {
        return screen.map(s -> Text.fitted(text, Math.min(s.size().columns(), TerminalText.WIDEST_TEXT)))
                .orElse(text);
    }

    /** Whether color is wanted: {@code NO_COLOR} disables it if set and not empty, as {@code https://no-color.org} defines. */
    private static boolean wantsColor(Map<String, String> environment) {
        return !isSet(environment, "NO_COLOR");
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        return !environment.getOrDefault(name, "").isEmpty();
    }

    @SuppressWarnings("SystemConsoleNull") // Without a terminal, the console of a JVM started by Plimsoll is null.
    private static boolean isTerminal(Map<String, String> environment) {
        String type = environment.getOrDefault("TERM", "dumb");
        return System.console() != null && !type.equals("dumb");
    }

    /** The terminal of standard output; empty in plain mode. */
    private static Optional<SttyScreen> screen(Map<String, String> environment) {
        if (isSet(environment, PLAIN) || !isTerminal(environment)) {
            return Optional.empty();
        }
        SttyScreen.OPENED.ifPresent(SttyScreen::refresh);
        return SttyScreen.OPENED;
    }

    private static Optional<SttyScreen> errorScreen(Map<String, String> environment) {
        return leadsToTerminal(STANDARD_ERROR) ? screen(environment) : Optional.empty();
    }

    /**
     * Whether a descriptor is a terminal; true if unknown, as on macOS. A console exists even if only standard error is
     * redirected.
     */
    static boolean leadsToTerminal(Path descriptor) {
        try {
            return TERMINALS
                    .matcher(Files.readSymbolicLink(descriptor).toString())
                    .matches();
        } catch (IOException e) {
            return true;
        }
    }

    /** The controlling terminal, with its size from the child process {@code stty}: a native library would load slowly. */
    static final class SttyScreen implements TerminalPanel.Screen {
        private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
        private static final File TERMINAL = new File("/dev/tty");
        private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(2);
        private static final long LONGEST_WAIT_MILLIS = 1000;
        /** The terminal of this process, shared because each request for its size starts a process. */
        private static final Optional<SttyScreen> OPENED = ask().map(SttyScreen::new);

        private volatile TerminalPanel.Size size;
        private long askedNanos = System.nanoTime();

        private SttyScreen(TerminalPanel.Size size) {
            this.size = size;
        }

        @Override
        public TerminalPanel.Size size() {
            return size;
        }

        @Override
        public synchronized void refresh() {
            long now = System.nanoTime();
            if (now - askedNanos >= REFRESH_NANOS) {
                askedNanos = now;
                ask().ifPresent(s -> size = s);
            }
        }

        private static Optional<TerminalPanel.Size> ask() {
            try {
                Process stty = new ProcessBuilder("stty", "size")
                        .redirectInput(TERMINAL)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                try {
                    if (!stty.waitFor(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                        return Optional.empty();
                    }
                    return parse(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
                } finally {
                    stty.destroyForcibly();
                }
            } catch (IOException e) {
                return Optional.empty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }

        /** @param answer rows, then columns; both are 0 if the terminal does not report them */
        static Optional<TerminalPanel.Size> parse(String answer) {
            Matcher size = SIZE.matcher(answer);
            if (!size.matches()) {
                return Optional.empty();
            }
            int rows = Integer.parseInt(size.group(1));
            int columns = Integer.parseInt(size.group(2));
            return rows > 0 && columns > 0 ? Optional.of(new TerminalPanel.Size(columns, rows)) : Optional.empty();
        }
    }
}
