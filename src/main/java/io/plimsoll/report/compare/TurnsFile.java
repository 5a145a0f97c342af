package io.plimsoll.report.compare;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The file {@value #NAME} in a directory of alternating runs.
 *
 * @param sides the distinguishing setting of each, such as {@code cluster=kafka1:9092}
 * @param runs paths of the runs of each side below the directory; equal positions form a pair
 */
public record TurnsFile(String schema, List<String> sides, List<List<String>> runs) {
    private static final String NAME = "turns.json";
    private static final String SCHEMA = "plimsoll.turns/1";

    public TurnsFile(List<String> sides, List<List<String>> runs) {
        this(SCHEMA, sides, runs);
    }

    public static boolean isIn(Path directory) {
        return Files.isRegularFile(directory.resolve(NAME));
    }

    public void writeTo(RunDirectory directory) {
        directory.write(NAME, Json.pretty(this));
    }

    /**
     * Compares the complete pairs of such a directory; see {@link Comparer#compare}.
     *
     * @throws PlimsollException {@link Exit#USAGE} if the file or a run cannot be read
     */
    public static Comparison compare(Path directory, List<String> figures, OptionalDouble tolerance) {
        TurnsFile file = read(directory.resolve(NAME));
        int whole = file.runs().stream().mapToInt(List::size).min().orElse(0);
        Exit.USAGE.when(whole == 0, "report.endedBeforeBoth", directory);
        List<List<ComparedRun>> runs = file.runs().stream()
                .map(side -> side.subList(0, whole).stream()
                        .map(run -> ComparedRun.read(directory.resolve(run)))
                        .toList())
                .toList();
        return Comparer.inTurns(runs, file.sides(), figures, tolerance);
    }

    private static TurnsFile read(Path path) {
        TurnsFile file = ComparedRun.saved(path, TurnsFile.class, NAME);
        boolean sound = SCHEMA.equals(file.schema())
                && file.sides() != null
                && file.runs() != null
                && file.sides().size() == file.runs().size()
                && file.sides().stream().allMatch(side -> side.indexOf('=') > 0);
        Exit.USAGE.when(!sound, "report.notComparable", path, "it has no \"schema\": \"" + SCHEMA + "\"", NAME);
        return file;
    }
}
