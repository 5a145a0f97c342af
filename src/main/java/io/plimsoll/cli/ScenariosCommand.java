package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.report.PlanText;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.Plan;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plimsoll scenarios}: what comes with the tool, as a start for scenarios of one's own. */
@Command(
        name = "scenarios",
        description = {
            "Lists the built-in scenarios, or prints one of them as YAML. The list says how long each takes and how much"
                    + " it writes at scale 1, one copy of the records; 'plimsoll run NAME --dry-run' says more.",
            "A printed one is a good start for a file of your own: docs/scenario.md has all keys."
        },
        mixinStandardHelpOptions = true)
final class ScenariosCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The scenario to print.")
    String name;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (name == null) {
            int width = BuiltIns.names().stream().mapToInt(String::length).max().orElse(1);
            int size = BuiltIns.names().stream()
                    .mapToInt(n ->
                            PlanText.size(ScenarioSource.plan(n, List.of(), 1)).length())
                    .max()
                    .orElse(1);
            for (String each : BuiltIns.names()) {
                Plan plan = ScenarioSource.plan(each, List.of(), 1);
                out.println(String.format(
                                Locale.ROOT,
                                "%-" + width + "s  %-" + size + "s  %s",
                                each,
                                PlanText.size(plan),
                                plan.about())
                        .strip());
            }
        } else {
            out.print(ScenarioSource.builtIn(name));
        }
        out.flush();
        return Exit.PASSED.code();
    }
}
