package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/** A comparison as Markdown, for a pull request or a wiki. */
public final class ComparisonMarkdown {
    private final Comparison comparison;
    private final Language language;
    private final StringBuilder out = new StringBuilder();

    private ComparisonMarkdown(Comparison comparison, Language language) {
        this.comparison = comparison;
        this.language = language;
    }

    public static String render(Comparison comparison, Language language) {
        ComparisonMarkdown markdown = new ComparisonMarkdown(comparison, language);
        markdown.verdict();
        markdown.sides();
        comparison.trials().forEach(markdown::trial);
        markdown.end();
        return markdown.out.toString();
    }

    private void verdict() {
        boolean worse = ComparisonTables.anyOutcome(comparison, Outcome.WORSE);
        boolean better = ComparisonTables.anyOutcome(comparison, Outcome.BETTER);
        String mark = worse ? "❌ " : better ? "✅ " : "";
        paragraph("# " + said(Sentence.of("report.title.comparison")));
        paragraph(mark + "**" + said(comparison.sentence()) + "**");
        if (comparison.gate() != null) {
            paragraph((comparison.gate().passed() ? "✅ " : "❌ ") + said(ComparisonTables.gate(comparison.gate())));
        }
    }

    private void sides() {
        table(ComparisonTables.sides(), comparison.sides());
        paragraph("## " + said(Sentence.of("report.title.whatDiffers")));
        if (comparison.differences().isEmpty()) {
            paragraph(said(ComparisonText.ALIKE));
        } else {
            table(ComparisonTables.differences(comparison), comparison.differences());
        }
        List<Sentence> remarks = new ArrayList<>(comparison.warnings());
        remarks.addAll(comparison.unpaired());
        if (!remarks.isEmpty()) {
            paragraph("## " + said(Sentence.of("report.title.worthKnowing")));
            remarks.forEach(r -> out.append("- ").append(said(r)).append('\n'));
            out.append('\n');
        }
    }

    private void trial(TrialPair pair) {
        String parameters = ComparisonTables.parameters(pair.parameters());
        paragraph("## " + Markdown.escape(pair.name()));
        if (!parameters.isEmpty() && !parameters.equals(pair.name())) {
            paragraph(Markdown.escape(parameters));
        }
        table(ComparisonTables.figures(pair), pair.figures());
    }

    private void end() {
        if (!comparison.ceilings().isEmpty()) {
            paragraph("## " + said(Sentence.of("report.title.ceilings")));
            table(ComparisonTables.ceilings(comparison), comparison.ceilings());
        }
        Sentence basis = ComparisonTables.basis(comparison);
        out.append(basis.equals(Sentence.NONE) ? "" : said(basis) + "\n");
    }

    private <T> void table(List<Column<T>> columns, List<T> rows) {
        out.append(Markdown.table(new Table<>(columns, rows), language)).append('\n');
    }

    private void paragraph(String text) {
        out.append(text).append("\n\n");
    }

    private String said(Sentence sentence) {
        return Markdown.escape(sentence.in(language));
    }
}
