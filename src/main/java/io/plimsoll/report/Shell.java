package io.plimsoll.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Command lines that can be pasted into a shell. */
public final class Shell {
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_./:=,@%+-]+");

    private static final String CONTINUED = " \\";

    private Shell() {}

    public static String quote(List<String> command) {
        return command.stream().map(Shell::quote).collect(Collectors.joining(" "));
    }

    /** A quoted command as lines that a shell reads as one; longer than the width only where one option alone is. */
    static List<String> folded(String command, int width) {
        List<String> lines = new ArrayList<>();
        String line = "";
        String[] parts = command.split(" (?=--)");
        for (int i = 0; i < parts.length; i++) {
            int end = i + 1 < parts.length ? CONTINUED.length() : 0;
            if (!line.isBlank() && line.length() + 1 + parts[i].length() + end > width) {
                lines.add(line + CONTINUED);
                line = "  " + parts[i];
            } else {
                line = line.isEmpty() ? parts[i] : line + " " + parts[i];
            }
        }
        lines.add(line);
        return lines;
    }

    private static String quote(String word) {
        return SAFE.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
