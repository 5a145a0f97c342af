package io.plimsoll.perf;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plimsoll.result.Json;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.imported.Measured;
import io.plimsoll.result.imported.OmbSupport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads output of Kafka's performance tools and of OpenMessaging Benchmark. Each measurement becomes a trial; unknown
 * values are null. Pure.
 */
public final class Imports {
    private static final Pattern DOCKER = Pattern.compile("\\s*\\{\"log\"\\s*:\\s*\"");

    private final List<TrialResult> trials = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    /** All trials in the order of the files, and of the measurements in each file. */
    public List<TrialResult> trials() {
        return List.copyOf(trials);
    }

    /**
     * Adds the contents of one file.
     *
     * @param file file name, for messages and the names of trials
     * @throws io.plimsoll.PlimsollException ({@link io.plimsoll.Exit#USAGE}) with file, line and key of the fault
     */
    public void add(String file, String text) {
        boolean docker = DOCKER.matcher(text).lookingAt();
        List<Measured> found = text.stripLeading().startsWith("{") && !docker
                ? OmbSupport.get().read(file, text)
                : PerfLog.read(
                                file,
                                docker ? text.lines().map(Imports::logged).collect(Collectors.joining("\n")) : text);
        String base = baseName(file);
        for (Measured measured : found) {
            String name = found.size() == 1 ? base : base + ":" + measured.line();
            String unique = name;
            for (int n = 2; !names.add(unique); n++) {
                unique = name + " (" + n + ")";
            }
            trials.add(measured.trial(unique));
        }
    }

    /** The text of a line that Docker stores as JSON; a damaged line is returned unchanged. */
    private static String logged(String line) {
        try {
            return Json.MAPPER.readTree(line).path("log").asText().stripTrailing();
        } catch (JsonProcessingException e) {
            return line;
        }
    }

    private static String baseName(String file) {
        String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        String base = name.replaceFirst("\\.(txt|log|out|csv|json)$", "");
        return base.isBlank() ? "imported" : base;
    }
}
