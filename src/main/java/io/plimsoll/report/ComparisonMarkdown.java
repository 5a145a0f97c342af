package io.plimsoll.report;

import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.TrialPair;

/** A comparison as Markdown, for a pull request or a wiki. */
public final class ComparisonMarkdown {
    private ComparisonMarkdown() {}

    public static String render(Comparison comparison) {
        StringBuilder out = new StringBuilder();
        boolean worse = ComparisonTables.anyOutcome(comparison, Outcome.WORSE);
        boolean better = ComparisonTables.anyOutcome(comparison, Outcome.BETTER);
        String mark = worse ? "❌ " : better ? "✅ " : "";
        out.append("# Comparison\n\n");
        out.append(mark)
                .append("**")
                .append(Markdown.escape(comparison.sentence()))
                .append("**\n\n");
        if (comparison.gate() != null) {
            out.append(comparison.gate().passed() ? "✅ " : "❌ ")
                    .append(Markdown.escape(ComparisonTables.gate(comparison.gate())))
                    .append("\n\n");
        }
        out.append(Markdown.table(new Table<>(ComparisonTables.sides(), comparison.sides())));
        out.append("\n## What differs\n\n");
        out.append(
                comparison.differences().isEmpty()
                        ? "Scenario, client settings, versions, cluster and host are the same.\n"
                        : Markdown.table(
                                new Table<>(ComparisonTables.differences(comparison), comparison.differences())));
        if (!comparison.warnings().isEmpty() || !comparison.unpaired().isEmpty()) {
            out.append("\n## Worth knowing\n\n");
            comparison
                    .warnings()
                    .forEach(w -> out.append("- ").append(Markdown.escape(w)).append('\n'));
            comparison
                    .unpaired()
                    .forEach(u -> out.append("- ").append(Markdown.escape(u)).append('\n'));
        }
        for (TrialPair pair : comparison.trials()) {
            String parameters = ComparisonTables.parameters(pair.parameters());
            out.append("\n## ").append(Markdown.escape(pair.name())).append("\n\n");
            if (!parameters.isEmpty() && !parameters.equals(pair.name())) {
                out.append(Markdown.escape(parameters)).append("\n\n");
            }
            out.append(Markdown.table(new Table<>(ComparisonTables.figures(pair), pair.figures())));
        }
        if (!comparison.ceilings().isEmpty()) {
            out.append("\n## Ceilings\n\n");
            out.append(Markdown.table(new Table<>(ComparisonTables.ceilings(comparison), comparison.ceilings())));
        }
        String basis = ComparisonTables.basis(comparison);
        if (!basis.isEmpty()) {
            out.append("\n").append(basis).append('\n');
        }
        return out.toString();
    }
}
