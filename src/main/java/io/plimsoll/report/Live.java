package io.plimsoll.report;

import io.plimsoll.result.Progress;
import io.plimsoll.text.Language;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;

/** Chooses how output looks from where it goes. */
public final class Live {
    private static final int DEFAULT_WIDTH = 100;

    private Live() {}

    /** What {@code --plain} is in the environment: set and not empty. */
    public static final String PLAIN = "PLIMSOLL_PLAIN";

    /** @param environment of the process; {@code NO_COLOR} is obeyed, {@code TERM=dumb} and {@link #PLAIN} mean lines */
    public static Progress progress(boolean quiet, Map<String, String> environment, Language language) {
        if (quiet) {
            return Progress.NONE;
        }
        PrintStream err = System.err;
        Optional<SttyScreen> screen = isSet(environment, PLAIN) ? Optional.empty() : screen(environment);
        if (screen.isEmpty()) {
            return new LineProgress(err, language, System::nanoTime);
        }
        return new TerminalPanel(err, screen.get(), wantsColor(environment), language, System::nanoTime).start();
    }

    /** That of the terminal, if standard output is one, otherwise 100 columns without colour; {@link Look#plain} where that is asked for. */
    public static Look look(Map<String, String> environment, Language language) {
        if (isSet(environment, PLAIN)) {
            return Look.plain(language);
        }
        int width = screen(environment).map(s -> s.size().columns()).orElse(DEFAULT_WIDTH);
        return new Look(width, isTerminal(environment) && wantsColor(environment), language);
    }

    /** As {@code https://no-color.org} has it: set and not empty. */
    private static boolean wantsColor(Map<String, String> environment) {
        return !isSet(environment, "NO_COLOR");
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        return !environment.getOrDefault(name, "").isEmpty();
    }

    @SuppressWarnings("SystemConsoleNull") // plimsoll starts JVMs with the console that is null without a terminal
    private static boolean isTerminal(Map<String, String> environment) {
        String type = environment.getOrDefault("TERM", "dumb");
        return System.console() != null && !type.equals("dumb");
    }

    private static Optional<SttyScreen> screen(Map<String, String> environment) {
        return isTerminal(environment) ? SttyScreen.open() : Optional.empty();
    }
}
