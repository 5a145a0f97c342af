package io.plimsoll.report;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The terminal that controls this process, whose size {@code stty} tells: a native library would take longer to load
 * than the whole rest of a command. Asking costs a child process, hence it is done now and then only.
 */
final class SttyScreen implements TerminalPanel.Screen {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
    private static final File TERMINAL = new File("/dev/tty");
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LONGEST_WAIT_MILLIS = 1000;

    private volatile TerminalPanel.Size size;
    private long askedNanos = System.nanoTime();

    private SttyScreen(TerminalPanel.Size size) {
        this.size = size;
    }

    static Optional<SttyScreen> open() {
        return ask().map(SttyScreen::new);
    }

    @Override
    public TerminalPanel.Size size() {
        return size;
    }

    @Override
    public void refresh() {
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

    /** @param answer rows, then columns; both are 0 on a terminal that does not know */
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
