package io.plimsoll;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Decides whether Plimsoll uses Linux features: {@code /proc}, {@code /sys}, Linux programs and file systems. {@code
 * -Dplimsoll.linux=off} makes this host look like another operating system.
 */
public final class LinuxRoot {
    private static final boolean HERE =
            !"off".equals(System.getProperty("plimsoll.linux")) && "Linux".equals(System.getProperty("os.name"));
    /** The Linux root directory; on other systems, a path that does not exist. */
    public static final Path PATH = Path.of(HERE ? "/" : "/no/linux");

    private LinuxRoot() {}

    public static boolean isHere() {
        return HERE;
    }

    /**
     * Process states by process id, from {@code ps}. Every Unix has this program, but a call takes milliseconds. Ended
     * processes have no state.
     */
    public static Map<Long, String> states(Collection<Long> pids) {
        Map<Long, String> states = new HashMap<>();
        String all = pids.stream().map(String::valueOf).collect(Collectors.joining(","));
        ProcessBuilder ps = new ProcessBuilder("ps", "-o", "pid=", "-o", "state=", "-p", all);
        try (InputStream out = ps.redirectErrorStream(true).start().getInputStream()) {
            new String(out.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(words -> words.length == 2 && words[0].matches("\\d{1,18}"))
                    .forEach(words -> states.put(Long.valueOf(words[0]), words[1]));
        } catch (IOException e) {
            // Without ps, states are unknown.
            pids.forEach(pid -> states.put(pid, "?"));
        }
        return states;
    }
}
