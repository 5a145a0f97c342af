package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.report.ComparisonText;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.TurnsFile;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One command, repeated in turns on two clusters, or with two builds of Kafka's client: A B, B A, A B, … Each is a run of its own,
 * in a process of its own, which guards and reports as if it had been typed. Used by one thread, and by the hook that is told
 * of a signal.
 */
final class RunsInTurns {
    /** The run gets 4 s to end in good order, and what was measured takes a moment to compare. */
    private static final long PATIENCE_SECONDS = 10;

    /** A run that ended so was whole, and the next one follows; the gravest first. */
    private static final List<Exit> WHOLE =
            List.of(Exit.AUDIT_FAILED, Exit.CHECK_FAILED, Exit.INVALID_MEASUREMENT, Exit.PASSED);

    private final RunCommand command;
    private final List<TurnSide> sides;
    private final int pairs;
    private final List<List<String>> runs = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean stopping;
    private volatile TurnProcess current;

    RunsInTurns(RunCommand command, List<TurnSide> sides, int pairs) {
        this.command = command;
        this.sides = sides;
        this.pairs = pairs;
        sides.forEach(side -> runs.add(new ArrayList<>()));
    }

    /** @param name of what is run */
    Exit perform(String name) {
        Thread hook = new Thread(this::onSignal, "plimsoll-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            if (command.dryRun) {
                return showPlans();
            }
            RunDirectory place = RunDirectory.place(command.results.out, name + "-ab", Instant.now());
            Exit exit = runAll(place);
            if (runs.stream().anyMatch(List::isEmpty)) {
                discard(place.path());
                return exit;
            }
            return show(place, exit);
        } finally {
            over.countDown();
            RunInterrupt.removeHook(hook);
        }
    }

    private Exit showPlans() {
        Exit exit = Exit.PASSED;
        for (TurnSide side : sides) {
            command.out()
                    .println(Sentence.of("cli.runsOfSide", side.text(), pairs).in(command.language()));
            TurnProcess process = start(side, command.results.out);
            command.out().println(process.output());
            command.out().println();
            exit = exit == Exit.PASSED ? process.exit() : exit;
        }
        return exit;
    }

    private Exit runAll(RunDirectory place) {
        Exit gravest = Exit.PASSED;
        int all = pairs * sides.size();
        for (int turn = 0; turn < all; turn++) {
            int within = turn % sides.size();
            int side = turn / sides.size() % 2 == 0 ? within : sides.size() - 1 - within;
            if (!command.results.quiet && !command.results.json) {
                command.say(
                        Sentence.of("cli.turn", turn + 1, all, sides.get(side).text()));
            }
            Exit exit = run(place, side);
            if (stopping || !WHOLE.contains(exit)) {
                command.say(Sentence.of(
                        "cli.turnFailed", turn + 1, all, sides.get(side).text(), exit.code()));
                return stopping ? Exit.INTERRUPTED : exit;
            }
            gravest = WHOLE.indexOf(exit) < WHOLE.indexOf(gravest) ? exit : gravest;
        }
        return gravest;
    }

    private Exit run(RunDirectory place, int side) {
        String label = String.valueOf((char) ('A' + side));
        Path out = place.path().resolve(label);
        List<String> before = names(out);
        TurnProcess process = start(sides.get(side), out);
        process.output();
        Exit exit = process.exit();
        List<String> made = new ArrayList<>(names(out));
        made.removeAll(before);
        if (WHOLE.contains(exit) && made.size() == 1) {
            runs.get(side).add(label + "/" + made.get(0));
            new TurnsFile(sides.stream().map(TurnSide::text).toList(), runs).writeTo(place);
        }
        return exit;
    }

    private TurnProcess start(TurnSide side, Path out) {
        TurnProcess process = TurnProcess.start(command, side, out);
        current = process;
        if (stopping) {
            process.end();
        }
        return process;
    }

    private static List<String> names(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "cli.noTurn", e.getMessage());
        }
    }

    private Exit show(RunDirectory place, Exit ofRuns) {
        Comparison comparison = TurnsFile.compare(place.path(), List.of(), command.turns.tolerance.share());
        place.write("comparison.md", ComparisonText.markdown(comparison, command.language()));
        Path page = place.write("comparison.html", HtmlReport.render(comparison, command.language()));
        if (command.results.json) {
            command.out().print(Json.pretty(comparison));
        } else {
            command.out().println(ComparisonText.terminal(comparison, command.look()));
            command.out().println(page);
        }
        command.out().flush();
        return ofRuns == Exit.PASSED ? Tolerance.exit(comparison) : ofRuns;
    }

    /** Directories of runs that never began. */
    private void discard(Path place) {
        try {
            for (int side = 0; side < sides.size(); side++) {
                Files.deleteIfExists(place.resolve(String.valueOf((char) ('A' + side))));
            }
            Files.delete(place);
        } catch (DirectoryNotEmptyException e) {
            // What has begun stays, for whoever wants to know why it ended.
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "cli.noTurn", e.getMessage());
        }
    }

    /** What goes on ends in good order, and what is whole is compared. */
    private void onSignal() {
        stopping = true;
        TurnProcess process = current;
        if (process != null) {
            process.end();
        }
        try {
            over.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
