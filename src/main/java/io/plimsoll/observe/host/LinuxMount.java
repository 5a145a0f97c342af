package io.plimsoll.observe.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One line of {@code /proc/self/mountinfo}.
 *
 * @param root the directory within the file system that is mounted
 * @param superOptions options of the file system; for control groups, their controllers
 */
record LinuxMount(String root, String mountPoint, String type, String source, String superOptions) {

    static List<LinuxMount> readAll(LinuxFiles files) {
        List<LinuxMount> mounts = new ArrayList<>();
        for (String line : files.lines("proc/self/mountinfo")) {
            int separator = line.indexOf(" - ");
            String[] left =
                    separator < 0 ? new String[0] : line.substring(0, separator).split(" ");
            String[] right = separator < 0
                    ? new String[0]
                    : line.substring(separator + 3).split(" ", 3);
            if (left.length >= 6 && right.length == 3) {
                mounts.add(
                        new LinuxMount(unescape(left[3]), unescape(left[4]), right[0], unescape(right[1]), right[2]));
            }
        }
        return mounts;
    }

    /** The mount that holds an absolute path: the longest mount point above it, the last one if mounted over. */
    static Optional<LinuxMount> of(Path absolute, List<LinuxMount> mounts) {
        return mounts.stream()
                .filter(mount -> absolute.startsWith(mount.mountPoint))
                .reduce((a, b) -> Comparator.<LinuxMount>comparingInt(m -> m.mountPoint.length())
                                        .compare(a, b)
                                > 0
                        ? a
                        : b);
    }

    /** The kernel writes space, tab, newline and backslash as three octal digits. */
    private static String unescape(String text) {
        return text.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
