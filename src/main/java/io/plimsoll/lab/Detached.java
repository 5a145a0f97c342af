package io.plimsoll.lab;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Keeps a child process out of reach of the terminal: Ctrl-C and a hang-up are for this JVM, which decides. */
final class Detached {
    private static final List<String> PREFIX = makePrefix();

    private Detached() {}

    /** Words to put in front of a command; the process keeps the id that it is started with. */
    static List<String> prefix() {
        return PREFIX;
    }

    private static List<String> makePrefix() {
        List<String> prefix = new ArrayList<>();
        // An own session where the system has the tool for it (Linux); ignored signals do nearly the same elsewhere.
        if (onPath("setsid")) {
            prefix.add("setsid");
        }
        prefix.addAll(List.of("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh"));
        return List.copyOf(prefix);
    }

    private static boolean onPath(String program) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return true;
            }
        }
        return false;
    }
}
