package io.plimsoll.perf;

import io.plimsoll.result.imported.ImportException;
import io.plimsoll.result.imported.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Saved output of Kafka's performance tools. If a container runtime joined the lines of several programs into one log, each
 * program is read separately. Pure.
 */
final class PerfLog {
    /**
     * Line prefixes of container runtimes: the program and a bar (Compose), a name in brackets (stern, kubectl), an ISO
     * timestamp, the stream (CRI). A time from the tool itself has a comma or a colon after its seconds.
     */
    private static final Pattern PREFIX = Pattern.compile("(?:\\[?([\\w./-]+)]?\\s*\\|\\s|\\[([\\w./-]+)]\\s+)?"
            + "(?:\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d)?\\s+)?"
            + "(?:(?:stdout|stderr)\\s+[FP]\\s)?");

    /** The start of the tool's output after any other prefix, such as the names that stern adds, or a syslog header. */
    private static final Pattern BEGIN = Pattern.compile(
            "(?:^|(?<=\\s))(?=\\d+\\s+(?:steady\\s+state\\s+)?records\\s+sent\\b"
                    + "|(?:start\\.)?time,\\s|\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d:\\d{3},|WARNING: Exiting|[\\w-]+:[\\w.-]+:\\{)");
    /** Parts of a prefix that differ from line to line. */
    private static final Pattern TIMES =
            Pattern.compile("\\S*\\d\\d:\\d\\d\\S*|\\[?\\d{4}-\\d\\d-\\d\\d|^[A-Z][a-z]{2} +\\d+ ");

    private PerfLog() {}

    /** @throws ImportException with file, line and key of the fault */
    static List<Measured> read(String file, String text) {
        Map<String, PerfText> programs = new LinkedHashMap<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            Matcher prefix = PREFIX.matcher(line);
            prefix.lookingAt(); // Always matches, because each part of the prefix is optional.
            String program =
                    Objects.requireNonNullElse(prefix.group(1), Objects.requireNonNullElse(prefix.group(2), ""));
            String output = line.substring(prefix.end());
            Matcher begin = BEGIN.matcher(output);
            if (begin.find()) {
                program += TIMES.matcher(output.substring(0, begin.start()))
                        .replaceAll("")
                        .strip();
                output = output.substring(begin.start());
            }
            programs.computeIfAbsent(program, p -> new PerfText(file)).line(number, output);
        }
        List<Measured> found = new ArrayList<>();
        programs.values().forEach(program -> found.addAll(program.end()));
        if (found.isEmpty()) {
            throw new ImportException(file, "noResult");
        }
        found.sort(Comparator.comparingInt(Measured::line));
        return found;
    }
}
