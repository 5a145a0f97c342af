package io.plimsoll.observe.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.StringTokenizer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the small files of {@code /proc} and {@code /sys} below a root directory. All are optional.
 */
record LinuxFiles(Path root) {

    /** The stripped content; null if it cannot be read or is blank. */
    @Nullable
    String text(String path) {
        try {
            String text = Files.readString(root.resolve(path)).strip();
            return text.isEmpty() ? null : text;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    List<String> lines(String path) {
        String text = text(path);
        return text == null ? List.of() : text.lines().toList();
    }

    /** The number in a file that contains only a number, or {@code otherwise}. */
    long number(String path, long otherwise) {
        String text = text(path);
        if (text == null) {
            return otherwise;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** The first number of the line with this prefix, such as {@code VmRSS:}; empty without such a line. */
    static OptionalDouble field(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line ->
                        HostWatch.number(line.substring(name.length()).strip().split("\\s+")[0]))
                .findFirst();
    }

    /** The words of a line. Faster than a regular expression, because stalls are looked for many times a second. */
    static String[] words(String line) {
        StringTokenizer tokens = new StringTokenizer(line);
        String[] words = new String[tokens.countTokens()];
        for (int i = 0; i < words.length; i++) {
            words[i] = tokens.nextToken();
        }
        return words;
    }

    /** The line of names and the line of values of a group of network counters, such as {@code Tcp} of {@code snmp}. */
    List<String> network(String file, String group) {
        return lines("proc/net/" + file).stream()
                .filter(line -> line.startsWith(group + ":"))
                .toList();
    }

    /** A counter of {@link #network}, such as {@code RetransSegs}; 0 if unknown. */
    static long counter(List<String> group, String counter) {
        int at = group.size() == 2 ? List.of(words(group.get(0))).indexOf(counter) : -1;
        return at < 0 ? 0 : (long) HostWatch.number(words(group.get(1))[at]);
    }

    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    /** The last name in the target of a symbolic link. */
    @Nullable
    String linkName(String path) {
        try {
            Path target = Files.readSymbolicLink(root.resolve(path)).getFileName();
            return target == null ? null : target.toString();
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** The names in a directory, sorted; empty if it cannot be read. */
    List<String> names(String path) {
        String[] names = root.resolve(path).toFile().list();
        return names == null ? List.of() : Stream.of(names).sorted().toList();
    }

    List<Mount> mounts() {
        List<Mount> mounts = new ArrayList<>();
        for (String line : lines("proc/self/mountinfo")) {
            int separator = line.indexOf(" - ");
            String[] left =
                    separator < 0 ? new String[0] : line.substring(0, separator).split(" ");
            String[] right = separator < 0
                    ? new String[0]
                    : line.substring(separator + 3).split(" ", 3);
            if (left.length >= 6 && right.length == 3) {
                mounts.add(new Mount(
                        Mount.unescape(left[3]),
                        Mount.unescape(left[4]),
                        right[0],
                        Mount.unescape(right[1]),
                        right[2]));
            }
        }
        return mounts;
    }

    /** A line of {@code /proc/self/mountinfo}; the super options of control groups are their controllers. */
    record Mount(String root, String mountPoint, String type, String source, String superOptions) {

        /** The mount that contains an absolute path: the longest mount point above it; of several at the same point, the last. */
        static Optional<Mount> of(Path absolute, List<Mount> mounts) {
            return mounts.stream()
                    .filter(mount -> absolute.startsWith(mount.mountPoint))
                    .reduce((a, b) -> a.mountPoint.length() > b.mountPoint.length() ? a : b);
        }

        /** Replaces escapes: the kernel writes space, tab, newline and backslash as three octal digits. */
        private static String unescape(String text) {
            return text.replace("\\040", " ")
                    .replace("\\011", "\t")
                    .replace("\\012", "\n")
                    .replace("\\134", "\\");
        }
    }
}
