package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cli.RunsInTurns.TurnSide;
import io.plimsoll.report.ComparisonText;
import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.run.Run;
import io.plimsoll.scenario.ABVariants;
import io.plimsoll.scenario.Plan;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that compare two settings. */
final class PairOptions {
    private static final int PAIRS = 5;

    @Option(names = "--ab", paramLabel = "PATH=V1|V2")
    String ab;

    @Option(names = "--pairs", paramLabel = "N")
    Integer pairs;

    @Mixin
    Tolerance tolerance = new Tolerance();

    private Exit found = Exit.PASSED;

    /** Whether an option of this class is given. */
    boolean asked() {
        return ab != null || tolerance.asked();
    }

    /** Whether {@code --ab} compares clusters or clients, which repeats whole runs instead of trials. */
    boolean repeatsRuns() {
        return ab != null && TurnSide.isOne(ab);
    }

    Exit repeat(RunCommand command, Plan plan) {
        tolerance.share();
        // Each run reads the same argument file and would repeat itself again.
        Exit.USAGE.when(
                Arguments.given(command.spec).stream()
                        .noneMatch(word -> word.equals("--ab") || word.startsWith("--ab=")),
                "cli.abInFile");
        List<TurnSide> sides = TurnSide.of(ABVariants.overrides(ab));
        Exit.USAGE.when(sides.size() > 2, "cli.twoSides", sides.size());
        int times = pairs == null ? PAIRS : pairs;
        Exit.USAGE.when(times < 1 || times > ABVariants.MOST_PAIRS, "scenario.pairs", ABVariants.MOST_PAIRS, times);
        sides.get(0).checkOptions(command, plan);
        TurnSide.check(sides, command);
        return new RunsInTurns(command, sides, times).perform(plan.name());
    }

    /** @param with creates the plan with one more override; null for none */
    Plan plan(Function<String, Plan> with) {
        if (ab == null) {
            Exit.USAGE.when(pairs != null, "cli.pairsWithoutAb");
            Exit.USAGE.when(tolerance.asked(), "cli.regressionWithoutAb");
            return with.apply(null);
        }
        tolerance.share();
        List<String> overrides = ABVariants.overrides(ab);
        return ABVariants.inTurns(overrides.stream().map(with).toList(), overrides, pairs == null ? PAIRS : pairs);
    }

    /** Writes the comparison to the run directory and prints it on request. */
    void show(Run.Finished finished, PlimsollCommand command, boolean told) {
        if (ab == null) {
            return;
        }
        try (RunDirectory directory = RunDirectory.open(finished.directory())) {
            Comparison comparison = Comparer.compare(
                    List.of(List.of(ComparedRun.read(finished.directory()))), List.of(), tolerance.share());
            found = Tolerance.exit(comparison);
            directory.write("comparison.md", ComparisonText.markdown(comparison, command.language()));
            directory.write("comparison.html", HtmlReport.render(comparison, command.language()));
            if (told) {
                command.out().println(ComparisonText.terminal(comparison, command.look()));
            }
        } catch (PlimsollException e) {
            // An interrupted run may lack one side; its report is shown anyway.
            found = tolerance.asked() ? e.exit() : found;
            if (told) {
                command.out().println(e.sentence().in(command.language()));
            }
        }
    }

    /** A failed run keeps its own exit code. */
    Exit exitCode(Exit ofRun) {
        return ofRun == Exit.PASSED ? found : ofRun;
    }
}
