package io.plimsoll.cli;

import io.plimsoll.Exit;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** The command as it was typed, on one side, in a process of its own with the options of this JVM. Used by one thread. */
final class TurnProcess {
    private static final String QUIET = "--quiet";

    /** What the whole is asked for, and each of its runs is not. */
    private static final Set<String> OURS = Set.of("--ab", "--pairs", "--fail-on-regression", "--out");

    /** What was typed may have one, or both; each run is asked for its report, and not as JSON. */
    private static final Set<String> SILENT = Set.of("--json", QUIET);

    /** Classes that were recorded with another class path. */
    private static final String ARCHIVE = "-XX:SharedArchiveFile=";

    private final Process process;

    private TurnProcess(Process process) {
        this.process = process;
    }

    /** @param out where its run goes */
    static TurnProcess start(RunCommand command, TurnSide side, Path out) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(word -> side.cluster() || !word.startsWith(ARCHIVE))
                .forEach(words::add);
        words.addAll(List.of("-cp", side.classPath(System.getProperty("java.class.path")), Main.class.getName()));
        words.addAll(arguments(Arguments.given(command.spec), command.spec.name(), side, out));
        try {
            return new TurnProcess(new ProcessBuilder(words)
                    .redirectInput(Redirect.INHERIT)
                    .redirectError(Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "cli.noTurn", e.getMessage());
        }
    }

    /**
     * @param typed the words of the whole command line
     * @param name of the command
     */
    static List<String> arguments(List<String> typed, String name, TurnSide side, Path out) {
        List<String> words = new ArrayList<>();
        Iterator<String> given = typed.iterator();
        while (given.hasNext()) {
            String word = given.next();
            if (OURS.contains(word)) {
                given.next();
            } else if (!SILENT.contains(word) && OURS.stream().noneMatch(option -> word.startsWith(option + "="))) {
                words.add(word);
            }
        }
        List<String> more = new ArrayList<>(typed.stream().anyMatch(SILENT::contains) ? List.of(QUIET) : List.of());
        more.addAll(List.of("--out", out.toString()));
        more.addAll(side.options(typed));
        words.addAll(words.indexOf(name) + 1, more);
        return words;
    }

    /** Waits until it has said all, which is on standard output: its report, or its plan. */
    String output() {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "cli.noTurn", e.getMessage());
        }
    }

    /** Waits until it has ended. */
    Exit exit() {
        try {
            return Exit.of(process.waitFor());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
            throw Exit.INTERRUPTED.because(e, "cli.noTurn", e.getMessage());
        }
    }

    /** Tells it to end in good order; its output can still be read, which {@link Process#destroy} would close. */
    void end() {
        process.toHandle().destroy();
    }
}
