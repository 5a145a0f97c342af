package io.plimsoll.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Ends processes with a given temporary directory and deletes the directory when this JVM ends in any way: a detached
 * shell waits for the end of its standard input.
 */
final class LastWill implements AutoCloseable {
    private static final String SCRIPT = """
            trap '' INT HUP TERM
            read -r _
            for environment in /proc/[0-9]*/environ; do
              if tr '\\0' '\\n' 2>/dev/null <"$environment" | grep -qxF "TMPDIR=$1"; then
                pid=${environment#/proc/}
                pid=${pid%/environ}
                [ "$pid" = "$$" ] || kill -KILL "$pid" 2>/dev/null
              fi
            done
            rm -rf -- "$1"
            """;

    private final Process shell;

    private LastWill(Process shell) {
        this.shell = shell;
    }

    /** @param temporary TMPDIR of exactly these processes */
    static LastWill of(Path temporary) throws IOException {
        List<String> command = List.of("setsid", "sh", "-c", SCRIPT, "sh", temporary.toString());
        return new LastWill(new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Executes it before the JVM ends. */
    @Override
    public void close() throws IOException {
        shell.getOutputStream().close();
        try {
            shell.waitFor(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
