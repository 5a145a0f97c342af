package io.plimsoll.report;

import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.Difference;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.text.Sentence;
import java.util.List;

/** A comparison as text for a terminal: what it comes to, what was not the same, then figure by figure. */
public final class ComparisonText extends TerminalText {
    private static final int MOST_DIFFERENCES = 25;

    static final Sentence ALIKE = Sentence.of("report.alike");

    private final Comparison comparison;

    private ComparisonText(Comparison comparison, Look look) {
        super(look);
        this.comparison = comparison;
    }

    public static String render(Comparison comparison, Look look) {
        ComparisonText text = new ComparisonText(comparison, look);
        text.sentence();
        text.section(new Table<>(ComparisonTables.sides(), comparison.sides()));
        text.differences();
        text.warnings();
        comparison.trials().forEach(text::trial);
        text.ceilings();
        text.end();
        return text.text();
    }

    private void sentence() {
        headline(ComparisonTables.mark(comparison), said(comparison.sentence()));
        line("");
    }

    private void differences() {
        List<Difference> all = comparison.differences();
        if (all.isEmpty()) {
            indented(ansi.dim(said(ALIKE)));
            line("");
            return;
        }
        List<Difference> shown = all.subList(0, Math.min(all.size(), MOST_DIFFERENCES));
        table(new Table<>(ComparisonTables.differences(comparison), shown));
        if (all.size() > shown.size()) {
            indented(ansi.dim(said(Sentence.of("report.moreDifferences", all.size() - shown.size()))));
        }
        line("");
    }

    private void warnings() {
        comparison.warnings().forEach(w -> paragraph(Mark.NOTE, w));
        comparison.unpaired().forEach(u -> paragraph(Mark.NOTE, u));
        if (!comparison.warnings().isEmpty() || !comparison.unpaired().isEmpty()) {
            line("");
        }
    }

    private void trial(TrialPair pair) {
        String parameters = ComparisonTables.parameters(pair.parameters());
        boolean told = parameters.isEmpty() || parameters.equals(pair.name());
        line(ansi.bold(Text.printable(pair.name())) + (told ? "" : INDENT + ansi.dim(Text.printable(parameters))));
        Table.Lines lines = lines(new Table<>(ComparisonTables.figures(pair), pair.figures()), 1);
        head(lines);
        for (int i = 0; i < pair.figures().size(); i++) {
            String finding = said(ComparisonTables.finding(pair.figures().get(i)));
            Outcome outcome = pair.figures().get(i).outcome();
            String line = lines.rows().get(i);
            String painted = outcome == Outcome.BETTER
                    ? ansi.good(finding)
                    : outcome == Outcome.WORSE ? ansi.bad(finding) : ansi.dim(finding);
            indented(line.endsWith(finding) ? line.substring(0, line.length() - finding.length()) + painted : line);
        }
        line("");
    }

    private void ceilings() {
        if (!comparison.ceilings().isEmpty()) {
            section(new Table<>(ComparisonTables.ceilings(comparison), comparison.ceilings()));
        }
    }

    private void end() {
        String basis = said(ComparisonTables.basis(comparison));
        if (!basis.isEmpty()) {
            wrapped(basis, 0).forEach(l -> line(ansi.dim(l)));
        }
        if (comparison.gate() != null) {
            line("");
            List<String> lines = wrapped(said(ComparisonTables.gate(comparison.gate())), 1);
            Mark mark = ComparisonTables.mark(comparison.gate());
            for (int i = 0; i < lines.size(); i++) {
                line((i > 0 ? Mark.NONE : mark).before(lines.get(i), look));
            }
        }
    }
}
