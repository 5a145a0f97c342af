package io.plimsoll.report;

import io.plimsoll.report.Block.Paragraph;
import io.plimsoll.report.Block.Remarks;
import io.plimsoll.report.Block.Rows;
import io.plimsoll.report.Block.Verdict;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.Difference;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/** A comparison as a document: what it comes to, what was not the same, then figure by figure. */
public final class ComparisonText {
    private static final int MOST_DIFFERENCES = 25;

    private ComparisonText() {}

    /** @return lines that end with a line break */
    public static String terminal(Comparison comparison, Look look) {
        return TerminalText.of(document(comparison, false), look);
    }

    /** For a pull request or a wiki. */
    public static String markdown(Comparison comparison, Language language) {
        return Markdown.of(document(comparison, true), language);
    }

    /** @param full as a page, with all differences, and what was judged below the verdict instead of at the end */
    private static Document document(Comparison comparison, boolean full) {
        Document document = new Document(Sentence.of("report.title.comparison"))
                .add(new Verdict(ComparisonTables.mark(comparison), comparison.sentence()));
        Remarks gate = new Remarks(
                comparison.gate() == null
                        ? List.of()
                        : List.of(Block.Remark.of(
                                ComparisonTables.mark(comparison.gate()), ComparisonTables.gate(comparison.gate()))));
        if (full) {
            document.add(gate);
        }
        document.add(new Rows(new Table<>(ComparisonTables.sides(), comparison.sides())));
        List<Difference> all = comparison.differences();
        int more = full ? 0 : Math.max(0, all.size() - MOST_DIFFERENCES);
        document.add(
                "whatDiffers",
                new Rows(new Table<>(ComparisonTables.differences(comparison), all.subList(0, all.size() - more))),
                new Paragraph(all.isEmpty() ? Sentence.of("report.alike") : Sentence.NONE, true),
                new Paragraph(more > 0 ? Sentence.of("report.moreDifferences", more) : Sentence.NONE, true));
        List<Sentence> remarks = new ArrayList<>(comparison.warnings());
        remarks.addAll(comparison.unpaired());
        document.add("worthKnowing", Remarks.of(Mark.NOTE, remarks));
        comparison
                .trials()
                .forEach(pair -> document.add(
                        Sentence.verbatim(pair.name()),
                        parameters(pair),
                        new Rows(new Table<>(ComparisonTables.figures(pair), pair.figures()))));
        if (!comparison.ceilings().isEmpty()) {
            document.add(
                    "ceilings", new Rows(new Table<>(ComparisonTables.ceilings(comparison), comparison.ceilings())));
        }
        document.add(new Paragraph(ComparisonTables.basis(comparison), true));
        return full ? document : document.add(gate);
    }

    private static Paragraph parameters(TrialPair pair) {
        String parameters = ComparisonTables.parameters(pair.parameters());
        return new Paragraph(Sentence.verbatim(parameters.equals(pair.name()) ? "" : parameters), true);
    }
}
