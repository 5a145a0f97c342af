package io.plimsoll.report.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A run to compare, with the uncertainty of its trials' figures.
 *
 * @param path as it was given
 * @param estimates by name of the trial
 * @param timeline false with only a {@code result.json}
 */
public record ComparedRun(Path path, RunResult result, Map<String, TrialEstimates> estimates, boolean timeline) {

    /**
     * @param path a run directory, or a {@code result.json}; where that lies in its run directory, the timeline beside it
     *     is used
     * @throws PlimsollException {@link Exit#USAGE} if it is neither
     */
    public static ComparedRun read(Path path) {
        if (!Files.isRegularFile(path)) {
            return ofDirectory(path, path);
        }
        Path directory = path.toAbsolutePath().getParent();
        boolean inRunDirectory =
                path.endsWith(RunDirectory.RESULT) && Files.isReadable(directory.resolve(RunDirectory.TIMELINE));
        return inRunDirectory ? ofDirectory(path, directory) : ofResult(path);
    }

    private static ComparedRun ofDirectory(Path path, Path directory) {
        RunDirectory run = RunDirectory.open(directory);
        RunResult result = Fold.of(run);
        Map<String, TrialEstimates> estimates = estimates(result);
        try (Stream<TimelineEvent> timeline = run.readTimeline()) {
            timeline.forEachOrdered(event -> {
                if (event instanceof TimelineEvent.Measured measured) {
                    estimates.get(measured.snapshot().trial()).accept(measured.snapshot());
                }
            });
        }
        return new ComparedRun(path, result, estimates, true);
    }

    private static ComparedRun ofResult(Path file) {
        try {
            InputFile.requireAtMost(file, InputFile.SAVED);
            RunResult result = Json.MAPPER.readValue(file.toFile(), RunResult.class);
            if (!RunResult.SCHEMA.equals(result.head().schema()) || result.trials() == null) {
                throw notAResult(file, "it has no \"schema\": \"" + RunResult.SCHEMA + "\"", null);
            }
            return new ComparedRun(file, result, estimates(result), false);
        } catch (JsonProcessingException e) {
            throw notAResult(file, "it is not the JSON of a result (" + e.getOriginalMessage() + ")", e);
        } catch (IOException e) {
            throw notAResult(file, "it cannot be read (" + e.getMessage() + ")", e);
        }
    }

    private static PlimsollException notAResult(Path file, String why, Exception cause) {
        return Exit.USAGE.because(cause, "report.notComparable", file, why, RunDirectory.RESULT);
    }

    private static Map<String, TrialEstimates> estimates(RunResult result) {
        Map<String, TrialEstimates> estimates = new LinkedHashMap<>();
        for (TrialResult trial : result.trials()) {
            estimates.put(trial.name(), new TrialEstimates(trial));
        }
        return estimates;
    }
}
