package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.ConclusionResult;
import io.plimsoll.result.CrossCheckResult;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;

/** A run's result as text for a terminal: the verdict first, then what it rests on. */
public final class TerminalReport extends TerminalText {
    private static final String GAP = "   ";
    private static final int NARROWEST = 40;
    private static final int MOST_IN_FULL = 3;

    private final RunResult result;

    private TerminalReport(RunResult result, int width, boolean color, Language language) {
        super(Math.max(NARROWEST, width), color, language);
        this.result = result;
    }

    /** In English. */
    public static String render(RunResult result, int width, boolean color) {
        return render(result, width, color, Language.EN);
    }

    /**
     * @param width columns of the terminal
     * @param color false for output to a file, or where {@code NO_COLOR} is set
     * @return lines that end with a line break
     */
    public static String render(RunResult result, int width, boolean color, Language language) {
        TerminalReport report = new TerminalReport(result, width, color, language);
        report.verdict();
        if (!result.ceilings().isEmpty()) {
            report.ceilings();
        } else if (result.trials().size() == 1) {
            TrialDetails.of(result.trials().get(0), report.width - INDENT.length(), report.ansi, language)
                    .forEach(report::indented);
        } else if (!result.trials().isEmpty()) {
            report.trials();
        }
        report.limits();
        report.reference();
        report.conclusions();
        if (result.ceilings().isEmpty()) {
            report.checks();
            report.between();
        }
        report.faults();
        report.rebalances();
        report.ofOneTrial(ObservedTables.brokers(result.trials()));
        report.ofOneTrial(ObservedTables.workers(result.trials()));
        report.ofOneTrial(ObservedTables.groups(result.trials()));
        report.audits();
        report.warnings();
        report.environment();
        report.next();
        return report.text();
    }

    private void verdict() {
        headline(mark(result.verdict().passed()), said(result.verdict().sentence()));
        line("");
    }

    private void title(String key) {
        line(ansi.bold(said(Sentence.of(key))));
    }

    private void trials() {
        table(new Table<>(TrialColumns.of(result.trials()), result.trials()));
        line("");
    }

    /** Trials beyond the ceiling are meant to fail: what counts is the curve that they draw. */
    private void ceilings() {
        table(CeilingTables.bounds(result.ceilings()));
        line("");
        if (result.ceilings().size() == 1) {
            table(CeilingTables.curve(result.ceilings().get(0)));
            line("");
        }
    }

    private void limits() {
        List<Sentence> paragraphs = LimitsText.of(result);
        if (!paragraphs.isEmpty()) {
            title(result.ceilings().isEmpty() ? "report.title.whatLimitedIt" : "report.title.whatTheLimitIs");
            paragraphs.forEach(p -> paragraph("·", p));
            line("");
        }
    }

    private void reference() {
        if (result.published().tables().isEmpty()) {
            return;
        }
        title("report.title.publishedAndMeasured");
        for (ReferenceTable table : result.published().tables()) {
            if (!table.title().english().isEmpty()) {
                indented(ansi.bold(Text.printable(table.title().english())));
            }
            table(ReferenceText.table(table, true));
            table.notes().forEach(n -> paragraph(" ", n.english()));
            line("");
        }
        wrapped(said(ReferenceText.caption(result)), 1).forEach(l -> indented(ansi.dim(l)));
        line("");
    }

    /** What holds here of the original's conclusions, and what does not; the other reports have what nothing tells of. */
    private void conclusions() {
        if (result.published().conclusions().isEmpty()) {
            return;
        }
        title("report.title.conclusions");
        for (ConclusionResult conclusion : result.published().conclusions()) {
            if (conclusion.holds() != null) {
                paragraph(mark(conclusion.holds()), conclusion.text().english());
                wrapped(Between.evidence(conclusion).english(), 3).forEach(l -> indented("  " + ansi.dim(l)));
            }
        }
        paragraph("·", Between.summary(result).english());
        line("");
    }

    private void between() {
        if (result.published().comparisons().isEmpty()) {
            return;
        }
        title("report.title.checksBetweenTrials");
        for (CrossCheckResult c : result.published().comparisons()) {
            paragraph(
                    c.holds() == null ? ansi.attention("?") : mark(c.holds()),
                    Sentence.of("report.between.one", c.check(), c.said()).english());
        }
        line("");
    }

    private void checks() {
        List<CheckRow> all = CheckRow.of(result.trials(), MOST_IN_FULL);
        if (all.isEmpty()) {
            return;
        }
        Column<CheckRow> check = Column.text("report.label.checks", CheckRow::check);
        Column<CheckRow> measured = Column.text("report.label.measured", CheckRow::measured);
        Column<CheckRow> trial = Column.text("report.label.trial", 1, CheckRow::trial);
        boolean several = result.trials().size() > 1;
        List<Column<CheckRow>> columns = several ? List.of(check, measured, trial) : List.of(check, measured);
        String title = check.header().in(language);
        List<String> lines = new Table<>(columns, all).lines(width - 2 * INDENT.length(), language);
        String rest = lines.get(0).substring(title.length());
        line(ansi.bold(title) + INDENT.repeat(2) + ansi.dim(rest));
        for (int i = 0; i < all.size(); i++) {
            indented(mark(all.get(i).passed()) + " " + lines.get(i + 1));
        }
        line("");
    }

    private void faults() {
        Table<FaultTable.Row> faults = FaultTable.of(result);
        if (faults.rows().isEmpty()) {
            return;
        }
        List<String> lines = faults.lines(width - INDENT.length(), language);
        String title = faults.columns().get(0).header().in(language);
        line(ansi.bold(title) + INDENT + ansi.dim(lines.get(0).substring(title.length())));
        lines.stream().skip(1).forEach(this::indented);
        FaultTable.remarks(result).forEach(r -> paragraph(" ", r));
        line("");
    }

    private void rebalances() {
        Table<FaultTable.Row> rebalances = FaultTable.rebalances(result);
        if (!rebalances.rows().isEmpty()) {
            table(rebalances);
            line("");
        }
    }

    /** A table that would be a page of its own with many trials; the report in Markdown has it then. */
    private void ofOneTrial(Table<?> table) {
        if (result.trials().size() == 1 && !table.rows().isEmpty()) {
            table(table);
            line("");
        }
    }

    private void audits() {
        List<TrialResult> audited =
                result.trials().stream().filter(t -> t.audit() != null).toList();
        if (audited.isEmpty()) {
            return;
        }
        title("report.title.audit");
        List<AuditResult> clean = audited.stream()
                .map(TrialResult::audit)
                .filter(TerminalReport::isClean)
                .toList();
        boolean summed = clean.size() > MOST_IN_FULL;
        if (summed) {
            paragraph(ansi.good("✓"), AuditText.ofClean(clean));
        }
        for (TrialResult trial : audited) {
            if (!summed || !isClean(trial.audit())) {
                audit(trial);
            }
        }
        line("");
    }

    private static boolean isClean(AuditResult audit) {
        return audit.complete() && !audit.violated() && audit.findings().isEmpty();
    }

    private void audit(TrialResult trial) {
        AuditResult audit = trial.audit();
        String name = result.trials().size() > 1 ? trial.name() + ": " : "";
        paragraph(mark(audit.complete() && !audit.violated()), name + said(AuditText.of(audit)));
        audit.findings().forEach(f -> paragraph(" ", f));
    }

    private void warnings() {
        List<Sentence> warnings = result.verdict().warnings();
        if (warnings.isEmpty()) {
            return;
        }
        title("report.title.worthKnowing");
        warnings.forEach(w -> paragraph(ansi.attention("!"), w));
        line("");
    }

    private void environment() {
        wrapped(said(EnvironmentText.of(result)), 1).forEach(l -> line(ansi.dim(l)));
    }

    private void next() {
        List<NextSteps.NextStep> steps = NextSteps.of(result);
        if (steps.isEmpty()) {
            return;
        }
        line("");
        title("report.title.next");
        // A command is never cut: it is there to be pasted. Where there is no room beside it, its reason is above.
        int widest = steps.stream().mapToInt(s -> Text.width(s.command())).max().orElse(0);
        int reason =
                steps.stream().mapToInt(s -> Text.width(said(s.why()))).max().orElse(0);
        for (NextSteps.NextStep step : steps) {
            if (INDENT.length() + widest + GAP.length() + reason <= width) {
                indented(Text.left(Text.printable(step.command()), widest) + GAP + ansi.dim(said(step.why())));
            } else {
                indented(ansi.dim(said(step.why()) + ":"));
                Shell.folded(Text.printable(step.command()), width - 2 * INDENT.length())
                        .forEach(l -> indented(INDENT + l));
            }
        }
    }
}
