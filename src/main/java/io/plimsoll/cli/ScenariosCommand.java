package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.diagnose.Diagnosis;
import io.plimsoll.report.PlanText;
import io.plimsoll.report.Text;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.KeyShape;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll scenarios}: lists and explains scenarios. Also contains a command that rewrites scenario files. */
@Command(name = "scenarios")
final class ScenariosCommand extends PlimsollCommand {
    private static final String INDENT = "    ";
    private static final int WIDEST = 110;

    @Parameters(arity = "0..1", paramLabel = "NAME", descriptionKey = "argument.scenarios.name")
    String name;

    @Option(names = "--keys")
    boolean keys;

    @Option(names = "--limits")
    boolean limits;

    @Override
    Exit perform() {
        int width = Math.min(WIDEST, look().width()) - INDENT.length();
        if (limits) {
            Diagnosis.rules().forEach(rule -> out().println(
                            String.join("\n" + INDENT, Text.wrap(plain(rule.in(language())), width))));
        } else if (keys) {
            tellKeys(language(), width);
        } else if (name == null) {
            tellScenarios(width);
        } else {
            out().print(ScenarioSource.builtIn(name));
        }
        return Exit.PASSED;
    }

    private void tellScenarios(int wide) {
        int width = BuiltIns.names().stream().mapToInt(String::length).max().orElse(1);
        for (String each : BuiltIns.names()) {
            Plan plan = ScenarioSource.plan(each, List.of(), 1);
            out().println(Text.left(each, width) + "  " + PlanText.size(plan).in(language()));
            Text.wrap(about(plan), wide).forEach(line -> out().println(INDENT + line));
        }
    }

    private String about(Plan plan) {
        String chinese = plan.trials().get(0).scenario().get(Scenario.ABOUT_ZH);
        return language() == Language.ZH && !chinese.isEmpty() ? chinese : plan.about();
    }

    /**
     * Explains the keys with this name or path, otherwise the keys with this text in their path or description.
     * Explains all keys if no name is given.
     */
    private void tellKeys(Language language, int wide) {
        Map<String, Key<?>> all = Scenario.ALL.byPath();
        List<Map.Entry<String, Key<?>>> found = of(
                all,
                key -> name == null
                        || name.equals(key.getKey())
                        || name.equals(key.getValue().name()));
        if (found.isEmpty()) {
            String word = name.toLowerCase(Locale.ROOT);
            // A path without its dots is found, too, such as recordSize.
            found = of(all, key -> (key.getKey() + "\n" + key.getKey().replace(".", "") + "\n"
                            + key.getValue().about(language))
                    .toLowerCase(Locale.ROOT)
                    .contains(word));
        }
        if (found.isEmpty()) {
            throw Exit.USAGE.because("cli.noSuchKey", name, Suggestions.didYouMean(name, Scenario.ALL.names()));
        }
        for (Map.Entry<String, Key<?>> each : found) {
            Key<?> key = each.getValue();
            String fallback = key.defaultText(language);
            out().println(each.getKey() + plain(fallback.isEmpty() ? "" : " (" + fallback + ")"));
            Text.wrap(plain(key.about(language)), wide).forEach(line -> out().println(INDENT + line));
            KeyShape.Section below = key.shape().below();
            if (name != null && below != null && !below.keys().isEmpty()) {
                String keys = Sentence.of(
                                "cli.keysBelow", List.copyOf(below.keys().keySet()))
                        .in(language());
                Text.wrap(keys, wide).forEach(line -> out().println(INDENT + line));
            }
        }
    }

    private static List<Map.Entry<String, Key<?>>> of(
            Map<String, Key<?>> all, Predicate<Map.Entry<String, Key<?>>> which) {
        return all.entrySet().stream().filter(which).toList();
    }

    private static String plain(String markdown) {
        return markdown.replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1").replace("`", "");
    }

    /** {@code plimsoll upgrade-scenario}: replaces deprecated keys; keeps comments and the order of lines. */
    @Command(name = "upgrade-scenario")
    static final class UpgradeScenarioCommand extends PlimsollCommand {
        @Parameters(paramLabel = "FILE.yaml", descriptionKey = "argument.upgrade-scenario.file")
        Path file;

        @Option(names = "--dry-run")
        boolean dryRun;

        @Override
        Exit perform() {
            String old = ScenarioSource.read(file, "run.aScenario");
            String today = CheckParser.today(old);
            // Read the original first, so that errors refer to its line numbers.
            List.of(old, today).forEach(text -> ScenarioReader.read(text, file.toString(), List.of(), 1));
            int changed = showChanges(old.lines().toList(), today.lines().toList());
            if (changed == 0) {
                print("cli.upgrade.nothing", file);
                return Exit.PASSED;
            }
            if (!dryRun) {
                replace(file, today);
            }
            print(dryRun ? "cli.upgrade.would" : "cli.upgrade.done", changed, file);
            return Exit.PASSED;
        }

        /** Prints a diff in the format of {@code patch}. */
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
}
