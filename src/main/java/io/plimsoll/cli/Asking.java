package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.run.guards.LoadLimits.Consent;
import io.plimsoll.text.Sentence;
import java.io.BufferedReader;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Asks the user on the terminal. The launcher selects the JDK's old console, so there is none without a terminal. */
final class Asking {
    private Asking() {}

    /** Consent through {@code --yes} or a question on the terminal, asked once for the same findings. */
    static Consent consent(PlimsollCommand command, boolean yes) {
        if (yes) {
            return Consent.GIVEN;
        }
        Set<Sentence> granted = new HashSet<>();
        return beyond -> {
            if (granted.containsAll(beyond)) {
                return true;
            }
            if (!isSomebodyThere()) {
                return false;
            }
            beyond.forEach(command::say);
            if (!isGranted(command)) {
                // The findings have just been printed.
                throw Exit.USAGE.because("cli.notGranted");
            }
            granted.addAll(beyond);
            return true;
        };
    }

    @SuppressWarnings("SystemConsoleNull")
    private static boolean isSomebodyThere() {
        return System.console() != null;
    }

    /** Reads a line from the terminal; null without a terminal. */
    static BufferedReader answers() {
        return isSomebodyThere() ? new BufferedReader(System.console().reader()) : null;
    }

    static boolean isGranted(PlimsollCommand command) {
        return isSomebodyThere()
                && isYes(
                        System.console().readLine("%s ", Sentence.of("cli.goOn").in(command.language())));
    }

    static boolean isYes(String answer) {
        return answer != null
                && List.of("y", "yes", "是").contains(answer.strip().toLowerCase(Locale.ROOT));
    }
}
