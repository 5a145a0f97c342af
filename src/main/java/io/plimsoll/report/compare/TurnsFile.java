package io.plimsoll.report.compare;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The file {@value #NAME} in a directory of alternating runs.
 *
 * @param sides the distinguishing setting of each side, such as {@code cluster=kafka1:9092}
 * @param runs paths of each side's runs, relative to the directory; equal positions form a pair
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
        return read(directory).compare(run -> ComparedRun.read(directory.resolve(run)), directory, figures, tolerance);
    }

    /**
     * Compares the complete pairs.
     *
     * @param place directory as the user named it
     * @throws PlimsollException {@link Exit#USAGE} if no pair is complete
     */
    public Comparison compare(
            Function<String, ComparedRun> read, Path place, List<String> figures, OptionalDouble tolerance) {
        int whole = runs.stream().mapToInt(List::size).min().orElse(0);
        Exit.USAGE.when(whole == 0, "report.endedBeforeBoth", place);
        List<List<ComparedRun>> compared = runs.stream()
                .map(side -> side.subList(0, whole).stream().map(read).toList())
                .toList();
        return Comparer.inTurns(compared, sides, figures, tolerance);
    }

    /** The same pairs, with each path mapped by this function. */
    public TurnsFile renamed(UnaryOperator<String> name) {
        return new TurnsFile(
                sides,
                runs.stream().map(side -> side.stream().map(name).toList()).toList());
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the file is missing or invalid */
    public static TurnsFile read(Path directory) {
        Path path = directory.resolve(NAME);
        TurnsFile file = ComparedRun.saved(path, TurnsFile.class, NAME);
        Exit.USAGE.when(!file.sound(), "report.notComparable", path, "it has no \"schema\": \"" + SCHEMA + "\"", NAME);
        return file;
    }

    /** Whether all required fields are present and valid, which JSON parsing does not ensure. */
    public boolean sound() {
        return SCHEMA.equals(schema)
                && sides != null
                && runs != null
                && sides.size() == runs.size()
                && sides.stream().allMatch(side -> side != null && side.indexOf('=') > 0)
                && runs.stream().allMatch(side -> side != null && side.stream().allMatch(Objects::nonNull));
    }
}
