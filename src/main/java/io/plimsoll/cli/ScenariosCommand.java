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
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll scenarios}: what comes with the tool, as a start for scenarios of one's own. */
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
            out().println(String.format(
                    Locale.ROOT,
                    "%-" + width + "s  %s",
                    each,
                    PlanText.size(plan).in(language())));
            Text.wrap(about(plan), wide).forEach(line -> out().println(INDENT + line));
        }
    }

    private String about(Plan plan) {
        String chinese = plan.trials().get(0).scenario().get(ScenarioKeys.ABOUT_ZH);
        return language() == Language.ZH && !chinese.isEmpty() ? chinese : plan.about();
    }

    /** Tells the keys of the name or the path that is given; without one, all. */
    private void tellKeys(Language language, int wide) {
        Map<String, Key<?>> all = ScenarioKeys.ALL.byPath();
        Set<String> told = all.entrySet().stream()
                .filter(key -> name == null
                        || name.equals(key.getKey())
                        || name.equals(key.getValue().name()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(LinkedHashSet::new));
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

    /** Without the marks of Markdown. */
    private static String plain(String markdown) {
        return markdown.replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1").replace("`", "");
    }
}
