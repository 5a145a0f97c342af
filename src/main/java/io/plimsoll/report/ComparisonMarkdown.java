package io.plimsoll.report;

import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/** A comparison as Markdown, for a pull request or a wiki. */
public final class ComparisonMarkdown extends Markdown {
    private final Comparison comparison;

    private ComparisonMarkdown(Comparison comparison, Language language) {
        super(language);
        this.comparison = comparison;
    }

    public static String render(Comparison comparison, Language language) {
        ComparisonMarkdown markdown = new ComparisonMarkdown(comparison, language);
        markdown.verdict();
        markdown.sides();
        comparison.trials().forEach(markdown::trial);
        markdown.end();
        return markdown.text();
    }

    private void verdict() {
        title(1, "comparison");
        paragraph(sign(ComparisonTables.mark(comparison)) + "**" + said(comparison.sentence()) + "**");
        if (comparison.gate() != null) {
            paragraph(sign(ComparisonTables.mark(comparison.gate())) + said(ComparisonTables.gate(comparison.gate())));
        }
    }

    private static String sign(Mark mark) {
        return switch (mark) {
            case GOOD -> "✅ ";
            case BAD -> "❌ ";
            case UNKNOWN -> "❔ ";
            default -> "";
        };
    }

    private void sides() {
        table(new Table<>(ComparisonTables.sides(), comparison.sides()));
        title(2, "whatDiffers");
        if (comparison.differences().isEmpty()) {
            paragraph(said(ComparisonText.ALIKE));
        } else {
            table(new Table<>(ComparisonTables.differences(comparison), comparison.differences()));
        }
        List<Sentence> remarks = new ArrayList<>(comparison.warnings());
        remarks.addAll(comparison.unpaired());
        if (!remarks.isEmpty()) {
            title(2, "worthKnowing");
            items(remarks);
        }
    }

    private void trial(TrialPair pair) {
        String parameters = ComparisonTables.parameters(pair.parameters());
        heading(2, escape(pair.name()));
        if (!parameters.isEmpty() && !parameters.equals(pair.name())) {
            paragraph(escape(parameters));
        }
        table(new Table<>(ComparisonTables.figures(pair), pair.figures()));
    }

    private void end() {
        if (!comparison.ceilings().isEmpty()) {
            title(2, "ceilings");
            table(new Table<>(ComparisonTables.ceilings(comparison), comparison.ceilings()));
        }
        Sentence basis = ComparisonTables.basis(comparison);
        if (!basis.equals(Sentence.NONE)) {
            line(said(basis));
        }
    }
}
