package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.run.guards.LoadLimits.Consent;
import io.plimsoll.text.Sentence;
import java.io.BufferedReader;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Asks whoever sits at the terminal; nobody does where there is none, since the launcher chooses the JDK's old console. */
final class Asking {
    private Asking() {}

    /** The consent of the user, who gave {@code --yes} or is asked now, once for the same things. */
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
                // What it is about has just been said.
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

    /** What is typed at the terminal; null where nobody is there. */
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
