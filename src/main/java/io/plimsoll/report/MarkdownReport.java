package io.plimsoll.report;

import io.plimsoll.result.Ceiling;
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
public final class MarkdownReport {
    private static final int MOST_PARTITIONS = 100;

    private final RunResult result;
    private final List<TrialResult> trials;
    private final Language language;
    private final StringBuilder out = new StringBuilder();

    private MarkdownReport(RunResult result, Language language) {
        this.result = result;
        this.language = language;
        this.trials = result.trials();
    }

    public static String render(RunResult result, Language language) {
        MarkdownReport report = new MarkdownReport(result, language);
        report.verdict();
        report.ceilings();
        report.limits();
        report.reference();
        if (!report.trials.isEmpty()) {
            report.figures();
        }
        if (result.ceilings().isEmpty()) {
            report.section("report.title.checks", RunTables.checks(report.trials));
        }
        report.faults();
        report.section("report.title.brokers", "report.about.brokers", BrokerTable.table(report.trials));
        report.section("report.title.workers", "report.about.workers", WorkersTable.table(report.trials));
        report.audits();
        report.section("report.title.consumerGroups", RunTables.groups(report.trials));
        report.section("report.title.errorsAndEvents", RunTables.errors(report.trials));
        report.partitions();
        report.environment();
        report.section("report.title.clientSettingsThatDifferFromTheDefaults", RunTables.settings(report.trials));
        report.reproduction();
        return report.out.toString();
    }

    private void verdict() {
        line("# " + Markdown.escape(result.head().name()));
        line("");
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
            heading(2, "report.title.worthKnowing");
            result.verdict().warnings().forEach(w -> line("- " + said(w)));
            line("");
        }
    }

    private static Instant seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    private void ceilings() {
        if (result.ceilings().isEmpty()) {
            return;
        }
        heading(2, result.ceilings().size() == 1 ? "report.title.ceiling" : "report.title.ceilings");
        paragraph(Sentence.of("report.about.ceilings"));
        table(CeilingTables.bounds(result.ceilings()));
        for (Ceiling ceiling : result.ceilings()) {
            line("### "
                    + said(
                            ceiling.parameters().isEmpty()
                                    ? Sentence.of("report.curve")
                                    : Sentence.of("report.curveOf", ceiling.parameters())));
            line("");
            table(CeilingTables.curve(ceiling));
        }
    }

    private void limits() {
        List<Sentence> paragraphs = LimitsText.of(result);
        if (!paragraphs.isEmpty()) {
            heading(2, result.ceilings().isEmpty() ? "report.title.whatLimitedIt" : "report.title.whatTheLimitIs");
            paragraphs.forEach(p -> {
                line(said(p));
                line("");
            });
        }
    }

    private void reference() {
        if (result.published().tables().isEmpty()) {
            return;
        }
        heading(2, "report.title.publishedAndMeasured");
        line(said(ReferenceText.caption(result)));
        line("");
        for (ReferenceTable table : result.published().tables()) {
            if (!table.title().isEmpty()) {
                line("### " + Markdown.escape(table.title()));
                line("");
            }
            table(ReferenceText.table(table, true));
        }
    }

    private void figures() {
        heading(2, "report.title.figures");
        paragraph(Sentence.of("report.about.figures"));
        table(new Table<>(TrialColumns.of(trials), trials));
        heading(2, "report.title.latencies");
        paragraph(Sentence.of("report.about.latencies"));
        table(RunTables.latencies(trials));
        for (TrialResult trial : trials) {
            List<Sentence> parts = new ArrayList<>();
            parts.add(Sentence.of("report.trial", TrialDetails.heading(trial)));
            if (trial.observed().generator() != null) {
                parts.add(Sentence.of(
                        "report.generator",
                        TrialDetails.generator(trial.observed().generator())));
            }
            if (trial.produce() != null && trial.produce().wire().requests() != null) {
                parts.add(Sentence.of("report.producers", TrialDetails.batches(trial.produce())));
            }
            line("- " + said(Sentence.joined(parts)));
        }
        line("");
    }

    private void faults() {
        section("report.title.faults", "report.about.faults", FaultTable.of(result));
        FaultTable.remarks(result).forEach(r -> line("- " + said(r)));
        line("");
    }

    private void audits() {
        List<TrialResult> audited =
                trials.stream().filter(t -> t.audit() != null).toList();
        if (audited.isEmpty()) {
            return;
        }
        heading(2, "report.title.audit");
        for (TrialResult trial : audited) {
            String mark = trial.audit().complete() && !trial.audit().violated() ? "✅ " : "❌ ";
            line("- " + mark + Markdown.escape(trial.name()) + ": " + said(AuditText.of(trial.audit())));
            trial.audit().findings().forEach(f -> line("  - " + said(f)));
        }
        line("");
    }

    private void partitions() {
        section("report.title.brokersByThePartitionsThatTheyLead", BrokerTable.leaders(trials));
        section("report.title.partitions", RunTables.partitions(trials, MOST_PARTITIONS));
        int left = trials.stream().mapToInt(t -> t.detail().partitions().size()).sum() - MOST_PARTITIONS;
        if (left > 0) {
            paragraph(Sentence.of("report.morePartitions", left));
        }
    }

    private void environment() {
        heading(2, "report.title.environment");
        line(said(EnvironmentText.of(result)));
        line("");
        subsection("report.title.brokers", RunTables.brokers(result));
        subsection("report.title.hostOfTheLoadGenerator", RunTables.facts(result));
    }

    private void reproduction() {
        heading(2, "report.title.command");
        line(Markdown.block("", Shell.quote(result.head().command())));
        if (result.scenario() != null && !result.scenario().isEmpty()) {
            heading(2, "report.title.scenario");
            line(Markdown.block("yaml", ScenarioText.block(result.scenario())));
        }
    }

    private void section(String title, Table<?> table) {
        section(title, null, table);
    }

    /** @param about a paragraph above the table; null for none */
    private void section(String title, String about, Table<?> table) {
        if (!table.rows().isEmpty()) {
            heading(2, title);
            if (about != null) {
                paragraph(Sentence.of(about));
            }
            table(table);
        }
    }

    private void subsection(String title, Table<?> table) {
        if (!table.rows().isEmpty()) {
            heading(3, title);
            table(table);
        }
    }

    private void table(Table<?> table) {
        line(Markdown.table(table, language));
    }

    private void heading(int level, String key) {
        line("#".repeat(level) + " " + said(Sentence.of(key)));
        line("");
    }

    /** Ours, and so it may hold Markdown. */
    private void paragraph(Sentence sentence) {
        line(sentence.in(language));
        line("");
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private String said(Sentence sentence) {
        return Markdown.escape(sentence.in(language));
    }
}
