package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.diagnose.Diagnosis;
import io.plimsoll.report.PlanText;
import io.plimsoll.report.Text;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioKeys;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.text.Language;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll scenarios}: lists and prints the built-in scenarios, and explains keys and limits. */
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
        String chinese = plan.trials().get(0).scenario().get(ScenarioKeys.ABOUT_ZH);
        return language() == Language.ZH && !chinese.isEmpty() ? chinese : plan.about();
    }

    /** Explains the keys with this name or path, otherwise those that mention the word; all without a name. */
    private void tellKeys(Language language, int wide) {
        Map<String, Key<?>> all = ScenarioKeys.ALL.byPath();
        Set<String> told = of(
                all,
                key -> name == null
                        || name.equals(key.getKey())
                        || name.equals(key.getValue().name()));
        if (told.isEmpty()) {
            String word = name.toLowerCase(Locale.ROOT);
            told = of(all, key -> (key.getKey() + "\n" + key.getValue().about(language))
                    .toLowerCase(Locale.ROOT)
                    .contains(word));
        }
        if (told.isEmpty()) {
            throw Exit.USAGE.because("cli.noSuchKey", name, Suggestions.didYouMean(name, ScenarioKeys.ALL.names()));
        }
        for (String path : told) {
            Key<?> key = all.get(path);
            String fallback = key.defaultText(language);
            out().println(path + plain(fallback.isEmpty() ? "" : " (" + fallback + ")"));
            Text.wrap(plain(key.about(language)), wide).forEach(line -> out().println(INDENT + line));
        }
    }

    private static Set<String> of(Map<String, Key<?>> all, Predicate<Map.Entry<String, Key<?>>> which) {
        return all.entrySet().stream()
                .filter(which)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Removes Markdown markup. */
    private static String plain(String markdown) {
        return markdown.replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1").replace("`", "");
    }
}
