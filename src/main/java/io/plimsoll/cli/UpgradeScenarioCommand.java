package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll upgrade-scenario}: replaces deprecated keys; keeps comments and the order of lines. */
@Command(name = "upgrade-scenario")
final class UpgradeScenarioCommand extends PlimsollCommand {
    @Parameters(paramLabel = "FILE.yaml", descriptionKey = "argument.upgrade-scenario.file")
    Path file;

    @Option(names = "--dry-run")
    boolean dryRun;

    @Override
    Exit perform() {
        String old = ScenarioSource.read(file, "run.aScenario");
        String today = CheckParser.today(old);
        // Read the original first: its mistakes refer to its own lines.
        List.of(old, today).forEach(text -> ScenarioReader.read(text, file.toString(), List.of(), 1));
        int changed = showChanges(old.lines().toList(), today.lines().toList());
        if (changed == 0) {
            print("cli.upgrade.nothing", file);
            return Exit.PASSED;
        }
        try {
            if (!dryRun) {
                Files.writeString(file, today);
            }
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "cli.cannotWrite", file, OutputOptions.reason(e));
        }
        print(dryRun ? "cli.upgrade.would" : "cli.upgrade.done", changed, file);
        return Exit.PASSED;
    }

    /** A diff for {@code patch}. */
    private int showChanges(List<String> old, List<String> today) {
        int changed = 0;
        for (int i = 0; i < old.size(); i++) {
            if (!old.get(i).equals(today.get(i))) {
                if (changed++ == 0) {
                    out().println("--- " + file + "\n+++ " + file);
                }
                out().println("@@ -" + (i + 1) + " +" + (i + 1) + " @@\n-" + old.get(i) + "\n+" + today.get(i));
            }
        }
        return changed;
    }
}
