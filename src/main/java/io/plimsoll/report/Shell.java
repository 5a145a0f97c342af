package io.plimsoll.report;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Command lines that can be pasted into a shell. */
final class Shell {
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_./:=,@%+-]+");

    private Shell() {}

    static String quote(List<String> command) {
        return command.stream().map(Shell::quote).collect(Collectors.joining(" "));
    }

    private static String quote(String word) {
        return SAFE.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
