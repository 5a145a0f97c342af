package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.report.Live;
import io.plimsoll.report.PlanText;
import io.plimsoll.report.Text;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.Plan;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code plimsoll scenarios}: what comes with the tool, as a start for scenarios of one's own. */
@Command(name = "scenarios")
final class ScenariosCommand extends PlimsollCommand {
    private static final String INDENT = "    ";
    private static final int WIDEST = 110;

    @Parameters(arity = "0..1", paramLabel = "NAME", descriptionKey = "argument.scenarios.name")
    String name;

    @Override
    Exit perform() {
        if (name == null) {
            int width = BuiltIns.names().stream().mapToInt(String::length).max().orElse(1);
            for (String each : BuiltIns.names()) {
                Plan plan = ScenarioSource.plan(each, List.of(), 1);
                out().println(String.format(
                        Locale.ROOT,
                        "%-" + width + "s  %s",
                        each,
                        PlanText.size(plan).english()));
                Text.wrap(plan.about(), Math.min(WIDEST, Live.width(System.getenv())) - INDENT.length())
                        .forEach(line -> out().println(INDENT + line));
            }
        } else {
            out().print(ScenarioSource.builtIn(name));
        }
        return Exit.PASSED;
    }
}
