package io.plimsoll.report;

import io.plimsoll.result.Ceiling;
import io.plimsoll.result.ConclusionResult;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
        return render(result, Map.of(), language);
    }

    /** @param pictures what they show, by their place as seen from the report */
    public static String render(RunResult result, Map<String, String> pictures, Language language) {
        MarkdownReport report = new MarkdownReport(result, language);
        report.verdict();
        report.ceilings();
        report.section("scaling", ScalingTable.of(result));
        report.limits();
        report.reference();
        report.conclusions();
        if (!report.trials.isEmpty()) {
            report.figures();
        }
        report.pictures(pictures);
        if (result.ceilings().isEmpty()) {
            report.section(2, "checks", RunTables.checks(report.trials));
            report.section(2, "checksBetweenTrials", Between.table(result));
        }
        report.faults();
        report.section("brokers", ObservedTables.brokers(report.trials));
        report.section("topics", ObservedTables.topics(report.trials));
        report.section("workers", ObservedTables.workers(report.trials));
        report.rebalances();
        report.section("groups", ObservedTables.groups(report.trials));
        report.audits();
        report.section(2, "consumerGroups", RunTables.groups(report.trials));
        report.section(2, "errorsAndEvents", RunTables.errors(report.trials));
        report.partitions();
        report.environment();
        report.section(2, "clientSettingsThatDifferFromTheDefaults", RunTables.settings(report.trials));
        report.reproduction();
        return report.text();
    }

    private void verdict() {
        heading(1, escape(result.head().name()));
        line(sign(result.head().outcome()) + " **" + said(result.verdict().sentence()) + "**");
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
            title(2, "worthKnowing");
            items(result.verdict().warnings());
        }
        if (!result.verdict().notes().isEmpty()) {
            title(2, "notes");
            items(result.verdict().notes());
        }
    }

    private static Instant seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    private void ceilings() {
        if (result.ceilings().isEmpty()) {
            return;
        }
        title(2, result.ceilings().size() == 1 ? "ceiling" : "ceilings");
        paragraph(Sentence.of("report.about.ceilings"));
        table(CeilingTables.bounds(result.ceilings()));
        for (Ceiling ceiling : result.ceilings()) {
            String setting = SettingNames.joined(ceiling.parameters());
            heading(3, setting.isEmpty() ? Sentence.of("report.curve") : Sentence.of("report.curveOf", setting));
            table(CeilingTables.curve(ceiling));
        }
    }

    private void limits() {
        List<Sentence> paragraphs = LimitsText.of(result);
        if (!paragraphs.isEmpty()) {
            title(2, result.ceilings().isEmpty() ? "whatLimitedIt" : "whatTheLimitIs");
            paragraphs.forEach(p -> paragraph(said(p)));
        }
    }

    private void reference() {
        if (result.published().tables().isEmpty()) {
            return;
        }
        title(2, ReferenceText.title(result));
        Sentence caption = ReferenceText.caption(result);
        if (!caption.english().isEmpty()) {
            paragraph(said(caption));
        }
        for (ReferenceTable table : result.published().tables()) {
            if (!table.title().english().isEmpty()) {
                heading(3, table.title());
            }
            table(ReferenceText.table(table, true));
            items(table.notes());
        }
    }

    private void conclusions() {
        if (result.published().conclusions().isEmpty()) {
            return;
        }
        title(2, "conclusions");
        paragraph(said(Between.summary(result)));
        for (ConclusionResult conclusion : result.published().conclusions()) {
            line("- " + Between.mark(conclusion.holds()) + " " + said(conclusion.text()));
            Between.evidence(conclusion).forEach(e -> line("  - " + said(e)));
        }
        line("");
    }

    private void figures() {
        title(2, "figures");
        paragraph(Sentence.of("report.about.figures"));
        table(new Table<>(TrialColumns.of(trials), trials));
        title(2, "latencies");
        paragraph(Sentence.of("report.about.latencies"));
        table(RunTables.latencies(trials));
        items(trials.stream().map(MarkdownReport::summary).toList());
    }

    private void pictures(Map<String, String> pictures) {
        if (!pictures.isEmpty()) {
            title(2, "pictures");
            pictures.forEach((file, title) -> paragraph("![" + escape(title) + "](" + link(file) + ")"));
        }
    }

    private static Sentence summary(TrialResult trial) {
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("report.trial", TrialDetails.heading(trial)));
        TrialDetails.facts(trial).forEach(f -> parts.add(Sentence.of("report.fact", f.label(), f.text())));
        return Sentence.joined(parts);
    }

    private void rebalances() {
        FaultTable.rebalancesByTrial(result).ifPresent(table -> section("rebalancesByTrial", table));
        section("rebalances", FaultTable.rebalances(result));
    }

    private void faults() {
        section("faults", FaultTable.worthTelling(result));
        items(FaultTable.remarks(result));
    }

    private void audits() {
        List<TrialResult> audited =
                trials.stream().filter(t -> t.audit() != null).toList();
        if (audited.isEmpty()) {
            return;
        }
        title(2, "audit");
        for (TrialResult trial : audited) {
            String mark = trial.audit().complete() && !trial.audit().violated() ? "✅ " : "❌ ";
            line("- " + mark + escape(trial.name()) + ": " + said(AuditText.of(trial.audit())));
            trial.audit().findings().forEach(f -> line("  - " + said(f)));
        }
        line("");
    }

    private void partitions() {
        section(2, "brokersByThePartitionsThatTheyLead", RunTables.leaders(trials));
        section(2, "partitions", RunTables.partitions(trials, MOST_PARTITIONS));
        int left = trials.stream().mapToInt(t -> t.detail().partitions().size()).sum() - MOST_PARTITIONS;
        if (left > 0) {
            paragraph(Sentence.of("report.morePartitions", left));
        }
    }

    private void environment() {
        title(2, "environment");
        paragraph(said(EnvironmentText.of(result)));
        section(3, "brokers", RunTables.brokers(result));
        section(3, "brokerHosts", SourceTable.of(result));
        section(3, "hostOfTheLoadGenerator", RunTables.facts(result));
    }

    private void reproduction() {
        title(2, "command");
        line(block("", Shell.quote(result.head().command())));
        if (result.scenario() != null && !result.scenario().isEmpty()) {
            title(2, "scenario");
            line(block("yaml", ScenarioText.block(result.scenario())));
        }
    }
}
