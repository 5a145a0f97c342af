package io.plimsoll;

import java.nio.file.Path;

/**
 * Decides whether the features of Linux are used: {@code /proc}, {@code /sys}, its programs and its file systems.
 * {@code -Dplimsoll.linux=off} makes this host look like another operating system.
 */
public final class LinuxRoot {
    private static final boolean HERE =
            !"off".equals(System.getProperty("plimsoll.linux")) && "Linux".equals(System.getProperty("os.name"));
    /** The root directory; on other systems, one that does not exist. */
    public static final Path PATH = Path.of(HERE ? "/" : "/no/linux");

    private LinuxRoot() {}

    public static boolean isHere() {
        return HERE;
    }
}
