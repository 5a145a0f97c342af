package io.plimsoll.report;

import io.plimsoll.result.Ceiling;
import io.plimsoll.result.ConclusionResult;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** A run's result as Markdown, complete enough to be sent to a colleague who was not there. */
public final class MarkdownReport extends Markdown {
    private static final int MOST_PARTITIONS = 100;

    private final RunResult result;
    private final List<TrialResult> trials;

    private MarkdownReport(RunResult result, Language language) {
        super(language);
        this.result = result;
        this.trials = result.trials();
    }

    public static String render(RunResult result, Language language) {
        MarkdownReport report = new MarkdownReport(result, language);
        report.verdict();
        report.ceilings();
        report.limits();
        report.reference();
        report.conclusions();
        if (!report.trials.isEmpty()) {
            report.figures();
        }
        if (result.ceilings().isEmpty()) {
            report.section(2, "report.title.checks", RunTables.checks(report.trials));
            report.section(2, "report.title.checksBetweenTrials", Between.table(result));
        }
        report.faults();
        report.section("report.title.brokers", "report.about.brokers", ObservedTables.brokers(report.trials));
        report.section("report.title.workers", "report.about.workers", ObservedTables.workers(report.trials));
        report.section("report.title.rebalances", "report.about.rebalances", FaultTable.rebalances(report.result));
        report.section("report.title.groups", "report.about.groups", ObservedTables.groups(report.trials));
        report.audits();
        report.section(2, "report.title.consumerGroups", RunTables.groups(report.trials));
        report.section(2, "report.title.errorsAndEvents", RunTables.errors(report.trials));
        report.partitions();
        report.environment();
        report.section(2, "report.title.clientSettingsThatDifferFromTheDefaults", RunTables.settings(report.trials));
        report.reproduction();
        return report.text();
    }

    private void verdict() {
        heading(1, escape(result.head().name()));
        boolean passed = result.verdict().passed();
        line((passed ? "✅ " : "❌ ") + "**" + said(result.verdict().sentence()) + "**");
        line("");
        Instant from = seconds(result.head().startedAt());
        Sentence ended = result.head().endedAt() == null
                ? Sentence.of("report.killed")
                : Sentence.of("report.ended", seconds(result.head().endedAt()));
        Sentence exit = result.head().exitCode() == null
                ? Sentence.NONE
                : Sentence.of("report.exitCode", result.head().exitCode());
        paragraph(Sentence.of("report.started", from, ended, exit));
        if (!result.verdict().warnings().isEmpty()) {
            heading(2, Sentence.of("report.title.worthKnowing"));
            items(result.verdict().warnings());
        }
    }

    private static Instant seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    private void ceilings() {
        if (result.ceilings().isEmpty()) {
            return;
        }
        heading(2, Sentence.of(result.ceilings().size() == 1 ? "report.title.ceiling" : "report.title.ceilings"));
        paragraph(Sentence.of("report.about.ceilings"));
        table(CeilingTables.bounds(result.ceilings()));
        for (Ceiling ceiling : result.ceilings()) {
            boolean one = ceiling.parameters().isEmpty();
            heading(3, one ? Sentence.of("report.curve") : Sentence.of("report.curveOf", ceiling.parameters()));
            table(CeilingTables.curve(ceiling));
        }
    }

    private void limits() {
        List<Sentence> paragraphs = LimitsText.of(result);
        if (!paragraphs.isEmpty()) {
            heading(
                    2,
                    Sentence.of(
                            result.ceilings().isEmpty()
                                    ? "report.title.whatLimitedIt"
                                    : "report.title.whatTheLimitIs"));
            paragraphs.forEach(p -> paragraph(said(p)));
        }
    }

    private void reference() {
        if (result.published().tables().isEmpty()) {
            return;
        }
        heading(2, Sentence.of("report.title.publishedAndMeasured"));
        paragraph(said(ReferenceText.caption(result)));
        for (ReferenceTable table : result.published().tables()) {
            if (!table.title().english().isEmpty()) {
                heading(3, table.title());
            }
            table(ReferenceText.table(table, true));
            if (!table.notes().isEmpty()) {
                items(table.notes());
            }
        }
    }

    /** Each sentence of the original, with what its checks have shown below. */
    private void conclusions() {
        if (result.published().conclusions().isEmpty()) {
            return;
        }
        heading(2, Sentence.of("report.title.conclusions"));
        paragraph(said(Between.summary(result)));
        for (ConclusionResult conclusion : result.published().conclusions()) {
            line("- " + Between.mark(conclusion.holds()) + " " + said(conclusion.text()));
            line("  - " + said(Between.evidence(conclusion)));
        }
        line("");
    }

    private void figures() {
        heading(2, Sentence.of("report.title.figures"));
        paragraph(Sentence.of("report.about.figures"));
        table(new Table<>(TrialColumns.of(trials), trials));
        heading(2, Sentence.of("report.title.latencies"));
        paragraph(Sentence.of("report.about.latencies"));
        table(RunTables.latencies(trials));
        items(trials.stream().map(MarkdownReport::summary).toList());
    }

    private static Sentence summary(TrialResult trial) {
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("report.trial", TrialDetails.heading(trial)));
        TrialDetails.facts(trial).forEach(f -> parts.add(Sentence.of("report.fact", f.label(), f.text())));
        return Sentence.joined(parts);
    }

    private void faults() {
        section("report.title.faults", "report.about.faults", FaultTable.of(result));
        List<Sentence> remarks = FaultTable.remarks(result);
        if (!remarks.isEmpty()) {
            items(remarks);
        }
    }

    private void audits() {
        List<TrialResult> audited =
                trials.stream().filter(t -> t.audit() != null).toList();
        if (audited.isEmpty()) {
            return;
        }
        heading(2, Sentence.of("report.title.audit"));
        for (TrialResult trial : audited) {
            String mark = trial.audit().complete() && !trial.audit().violated() ? "✅ " : "❌ ";
            line("- " + mark + escape(trial.name()) + ": " + said(AuditText.of(trial.audit())));
            trial.audit().findings().forEach(f -> line("  - " + said(f)));
        }
        line("");
    }

    private void partitions() {
        section(2, "report.title.brokersByThePartitionsThatTheyLead", RunTables.leaders(trials));
        section(2, "report.title.partitions", RunTables.partitions(trials, MOST_PARTITIONS));
        int left = trials.stream().mapToInt(t -> t.detail().partitions().size()).sum() - MOST_PARTITIONS;
        if (left > 0) {
            paragraph(Sentence.of("report.morePartitions", left));
        }
    }

    private void environment() {
        heading(2, Sentence.of("report.title.environment"));
        paragraph(said(EnvironmentText.of(result)));
        section(3, "report.title.brokers", RunTables.brokers(result));
        section(3, "report.title.hostOfTheLoadGenerator", RunTables.facts(result));
    }

    private void reproduction() {
        heading(2, Sentence.of("report.title.command"));
        line(block("", Shell.quote(result.head().command())));
        if (result.scenario() != null && !result.scenario().isEmpty()) {
            heading(2, Sentence.of("report.title.scenario"));
            line(block("yaml", ScenarioText.block(result.scenario())));
        }
    }
}
