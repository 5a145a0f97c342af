package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.ConclusionResult;
import io.plimsoll.result.CrossCheckResult;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A run's result as text for a terminal: the verdict first, then what it rests on. */
public final class TerminalReport extends TerminalText {
    private static final String GAP = "   ";
    private static final int NARROWEST = 40;
    private static final int MOST_IN_FULL = 3;

    private final RunResult result;

    private TerminalReport(RunResult result, Look look) {
        super(look.ofWidth(Math.max(NARROWEST, look.width())));
        this.result = result;
    }

    /** @return lines that end with a line break */
    public static String render(RunResult result, Look look) {
        TerminalReport report = new TerminalReport(result, look);
        report.verdict();
        if (!result.ceilings().isEmpty()) {
            report.ceilings();
        } else if (result.trials().size() == 1) {
            TrialDetails.tell(result.trials().get(0), report);
        } else if (!result.trials().isEmpty()) {
            report.section(new Table<>(TrialColumns.of(result.trials()), result.trials()));
        }
        Table<?> scaling = ScalingTable.of(result);
        if (!scaling.rows().isEmpty()) {
            report.title("scaling");
            report.section(scaling);
        }
        report.titled(
                result.ceilings().isEmpty() ? "whatLimitedIt" : "whatTheLimitIs",
                LimitsText.of(result),
                limit -> report.paragraph(Mark.POINT, limit));
        report.reference();
        report.conclusions();
        if (result.ceilings().isEmpty()) {
            report.checks();
            report.titled("checksBetweenTrials", result.published().comparisons(), report::between);
        }
        report.faults();
        report.rebalances();
        report.ofOneTrial(ObservedTables.brokers(result.trials()));
        report.ofOneTrial(ObservedTables.topics(result.trials()));
        report.section(SourceTable.of(result));
        report.ofOneTrial(ObservedTables.workers(result.trials()));
        report.ofOneTrial(ObservedTables.groups(result.trials()));
        report.audits();
        report.titled("worthKnowing", result.verdict().warnings(), warning -> report.paragraph(Mark.NOTE, warning));
        report.environment();
        report.next();
        return report.text();
    }

    private void verdict() {
        headline(Mark.of(result.head().outcome()), said(result.verdict().sentence()));
        line("");
    }

    private void title(String key) {
        line(ansi.bold(said(Sentence.of("report.title." + key))));
    }

    /** Trials beyond the ceiling are meant to fail: what counts is the curve that they draw. */
    private void ceilings() {
        section(CeilingTables.bounds(result.ceilings()));
        if (result.ceilings().size() == 1) {
            section(CeilingTables.curve(result.ceilings().get(0)));
        }
    }

    private <T> void titled(String title, List<T> items, Consumer<T> told) {
        if (!items.isEmpty()) {
            title(title);
            items.forEach(told);
            line("");
        }
    }

    private void reference() {
        if (result.published().tables().isEmpty()) {
            return;
        }
        title(ReferenceText.title(result));
        for (ReferenceTable table : result.published().tables()) {
            if (!table.title().english().isEmpty()) {
                indented(ansi.bold(Text.printable(said(table.title()))));
            }
            published(table);
            table.notes().forEach(n -> paragraph(Mark.NONE, n));
            line("");
        }
        Sentence caption = ReferenceText.caption(result);
        if (!caption.english().isEmpty()) {
            wrapped(said(caption), 1).forEach(l -> indented(ansi.dim(l)));
            line("");
        }
    }

    /** Every published cell: a wide table in parts, or its rows in words. */
    private void published(ReferenceTable table) {
        List<Table<ReferenceText.Line>> parts = ReferenceText.parts(table, look.ofWidth(width - INDENT.length()));
        for (int i = 0; i < parts.size(); i++) {
            if (i > 0) {
                line("");
            }
            table(parts.get(i));
        }
        if (parts.isEmpty()) {
            ReferenceText.table(table, true).spoken(language).forEach(row -> paragraph(Mark.NONE, row));
        }
    }

    private void conclusions() {
        if (result.published().conclusions().isEmpty()) {
            return;
        }
        title("conclusions");
        for (ConclusionResult conclusion : result.published().conclusions()) {
            paragraph(mark(conclusion.holds()), conclusion.text());
            Between.evidence(conclusion).forEach(e -> wrapped(said(e), 3).forEach(l -> indented("  " + ansi.dim(l))));
        }
        paragraph(Mark.POINT, Between.summary(result));
        line("");
    }

    private static Mark mark(Boolean holds) {
        return holds == null ? Mark.UNKNOWN : Mark.of(holds);
    }

    private void between(CrossCheckResult c) {
        paragraph(mark(c.holds()), Sentence.of("report.between.one", c.check(), c.said()));
    }

    private void checks() {
        List<CheckRow> all = CheckRow.of(result.trials(), MOST_IN_FULL);
        if (all.isEmpty()) {
            return;
        }
        String title = said(Sentence.of("report.label.checks"));
        Column<CheckRow> check = Column.text(look.plain() ? "" : "checks", CheckRow::check);
        Column<CheckRow> measured = Column.text("measured", CheckRow::measured);
        Column<CheckRow> trial = Column.text("trial", 1, CheckRow::trial);
        boolean several = result.trials().size() > 1;
        List<Column<CheckRow>> columns = several ? List.of(check, measured, trial) : List.of(check, measured);
        Table.Lines lines = lines(new Table<>(columns, all), 2);
        titled(title, lines, 2);
        for (int i = 0; i < all.size(); i++) {
            indented(Mark.of(all.get(i).passed()).before(lines.rows().get(i), look));
        }
        line("");
    }

    private void faults() {
        Table<FaultTable.Row> faults = FaultTable.worthTelling(result);
        if (faults.rows().isEmpty()) {
            return;
        }
        Table.Lines lines = lines(faults, 1);
        titled(faults.columns().get(0).header().in(language), lines, 1);
        lines.rows().forEach(this::indented);
        FaultTable.remarks(result).forEach(r -> paragraph(Mark.NONE, r));
        line("");
    }

    private void rebalances() {
        Optional<Table<Integer>> byTrial = FaultTable.rebalancesByTrial(result);
        if (byTrial.isEmpty()) {
            section(FaultTable.rebalances(result));
            return;
        }
        table(byTrial.get());
        paragraph(Mark.NONE, Sentence.of("report.about.rebalancesByTrial"));
        line("");
    }

    /** A table that would be a page of its own with many trials; the report in Markdown has it then. */
    private void ofOneTrial(Table<?> table) {
        if (result.trials().size() == 1) {
            section(table);
        }
    }

    private void audits() {
        List<TrialResult> audited =
                result.trials().stream().filter(t -> t.audit() != null).toList();
        if (audited.isEmpty()) {
            return;
        }
        title("audit");
        List<AuditResult> clean = audited.stream()
                .map(TrialResult::audit)
                .filter(TerminalReport::isClean)
                .toList();
        boolean summed = clean.size() > MOST_IN_FULL;
        if (summed) {
            paragraph(Mark.GOOD, AuditText.ofClean(clean));
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
        paragraph(Mark.of(audit.complete() && !audit.violated()), name + said(AuditText.of(audit)));
        audit.findings().forEach(f -> paragraph(Mark.NONE, f));
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
        title("next");
        // A command is never cut: it is there to be pasted. Where there is no room beside it, its reason is above.
        int widest = steps.stream().mapToInt(s -> Text.width(s.command())).max().orElse(0);
        int reason =
                steps.stream().mapToInt(s -> Text.width(said(s.why()))).max().orElse(0);
        for (NextSteps.NextStep step : steps) {
            if (!look.plain() && INDENT.length() + widest + GAP.length() + reason <= width) {
                indented(Text.left(Text.printable(step.command()), widest) + GAP + ansi.dim(said(step.why())));
            } else {
                indented(ansi.dim(said(step.why()) + ":"));
                Shell.folded(Text.printable(step.command()), width - 2 * INDENT.length())
                        .forEach(l -> indented(INDENT + l));
            }
        }
    }
}
