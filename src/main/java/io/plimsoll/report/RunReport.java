package io.plimsoll.report;

import io.plimsoll.report.Block.Commands;
import io.plimsoll.report.Block.Heading;
import io.plimsoll.report.Block.Paragraph;
import io.plimsoll.report.Block.Remark;
import io.plimsoll.report.Block.Remarks;
import io.plimsoll.report.Block.Rows;
import io.plimsoll.report.CheckRow.Between;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Json;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.RunResult.Cluster;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * The report of a run: verdict, key figures, bottleneck, next steps and warnings, then details. A terminal shows it in brief,
 * Markdown in full.
 */
public final class RunReport {
    private static final int MOST_IN_FULL = 3;
    private static final int MOST_PARTITIONS = 100;
    private static final int MOST_WARNINGS = 3;

    private final RunResult result;
    private final List<TrialResult> trials;
    private final boolean full;
    private final Document document;

    private RunReport(RunResult result, boolean full) {
        this.result = result;
        this.trials = result.trials();
        this.full = full;
        this.document = new Document(Sentence.verbatim(result.head().name()));
    }

    /** In brief. @return lines that end with a line break */
    public static String terminal(RunResult result, Look look) {
        return TerminalText.of(new RunReport(result, false).document(Map.of()), look);
    }

    /** In full. */
    public static String markdown(RunResult result, Language language) {
        return markdown(result, Map.of(), language);
    }

    /** @param pictures titles by path relative to the report */
    public static String markdown(RunResult result, Map<String, String> pictures, Language language) {
        return Markdown.of(new RunReport(result, true).document(pictures), language);
    }

    private Document document(Map<String, String> pictures) {
        boolean searched = !result.ceilings().isEmpty();
        verdict();
        if (searched) {
            bounds();
        } else if (trials.size() == 1) {
            document.add(new Block.Facts(TrialDetails.keyFigures(trials.get(0))));
        } else if (!full) {
            document.add(new Rows(new Table<>(TrialColumns.of(trials), trials)));
        }
        document.add("whatLimitedIt", Remarks.of(Mark.POINT, LimitsText.of(result)));
        document.add("next", new Commands(full ? List.of() : NextSteps.of(result)));
        warnings();
        if (searched) {
            curves();
        } else if (!full && trials.size() == 1) {
            trial(trials.get(0));
        }
        document.explained("scaling", RunTables.scaling(result));
        reference();
        conclusions();
        if (full && !trials.isEmpty()) {
            figures();
        }
        document.add(
                "pictures",
                pictures.entrySet().stream()
                        .map(p -> new Block.Picture(p.getKey(), p.getValue()))
                        .toArray(Block[]::new));
        if (!searched) {
            document.add("checks", new Rows(CheckRow.table(trials, full ? Integer.MAX_VALUE : MOST_IN_FULL)));
            document.add("checksBetweenTrials", new Rows(Between.table(result)));
        }
        document.explained(
                "faults", FaultTable.worthTelling(result), Remarks.of(Mark.NONE, FaultTable.remarks(result)));
        rebalances();
        observed();
        audits();
        if (full) {
            details();
        }
        environment();
        if (full) {
            document.add("clientSettingsThatDifferFromTheDefaults", new Rows(RunTables.settings(trials)));
            document.add("command", new Block.Code("", Shell.quote(result.head().command())));
            document.add("scenario", new Block.Code("yaml", scenario(result)));
        }
        return document;
    }

    /** The scenario as a person would write it; empty where a run has none. */
    public static String scenario(RunResult result) {
        if (result.scenario() == null || result.scenario().isEmpty()) {
            return "";
        }
        DumpSettings block =
                DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
        // Through JSON, so that only maps, lists, text and numbers are left.
        return new Dump(block).dumpToString(Json.MAPPER.convertValue(result.scenario(), Map.class));
    }

    private void verdict() {
        Block verdict = new Block.Verdict(
                Mark.of(result.head().outcome()), result.verdict().sentence());
        if (!full) {
            document.add(verdict);
            return;
        }
        Sentence ended = result.head().endedAt() == null
                ? Sentence.of("report.killed")
                : Sentence.of("report.ended", seconds(result.head().endedAt()));
        Sentence exit = result.head().exitCode() == null
                ? Sentence.NONE
                : Sentence.of("report.exitCode", result.head().exitCode());
        Sentence started = Sentence.of("report.started", seconds(result.head().startedAt()), ended, exit);
        document.add(verdict, new Paragraph(started, false));
    }

    /** In brief the weightiest, and how to see the rest. */
    private void warnings() {
        List<Sentence> all = result.verdict().warnings();
        int shown = full ? all.size() : Math.min(MOST_WARNINGS, all.size());
        int more = all.size() - shown;
        document.add(
                "worthKnowing",
                Remarks.of(Mark.NOTE, all.subList(0, shown)),
                new Paragraph(more > 0 ? Sentence.of("report.moreWarnings", more) : Sentence.NONE, true));
        document.add("notes", Remarks.of(Mark.POINT, full ? result.verdict().notes() : List.of()));
    }

    private static Instant seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    private void bounds() {
        boolean one = result.ceilings().size() == 1;
        document.add(
                Sentence.of(one ? "report.title.ceiling" : "report.title.ceilings"),
                Sentence.of("report.about.ceilings"),
                List.of(new Rows(RunTables.bounds(result.ceilings()))));
    }

    private void curves() {
        List<Ceiling> ceilings = result.ceilings();
        for (Ceiling ceiling : full || ceilings.size() == 1 ? ceilings : List.<Ceiling>of()) {
            String setting = SettingNames.joined(ceiling.parameters());
            document.add(
                    setting.isEmpty() ? Sentence.of("report.curve") : Sentence.of("report.curveOf", setting),
                    new Rows(RunTables.curve(ceiling)));
        }
    }

    private void trial(TrialResult trial) {
        document.add(new Paragraph(TrialDetails.heading(trial), false))
                .add(new Rows(TrialDetails.flow(trial)))
                .add(new Rows(new Table<>(TrialColumns.latencyColumns(""), TrialColumns.latencies(trial))))
                .add(new Block.Facts(TrialDetails.facts(trial)));
    }

    private void reference() {
        List<Block> blocks = new ArrayList<>(List.of(new Paragraph(ReferenceText.caption(result), true)));
        for (ReferenceTable table : result.published().tables()) {
            blocks.add(new Heading(table.title()));
            blocks.add(new Rows(ReferenceText.table(table, true)));
            blocks.add(Remarks.of(Mark.NONE, table.notes()));
        }
        document.add(Sentence.of("report.title." + ReferenceText.title(result)), Sentence.NONE, blocks);
    }

    private void conclusions() {
        List<Remark> all = result.published().conclusions().stream()
                .map(c -> new Remark(Mark.of(c.holds()), c.text(), Between.evidence(c)))
                .toList();
        if (!all.isEmpty()) {
            document.add("conclusions", new Paragraph(Between.summary(result), false), new Remarks(all));
        }
    }

    private void figures() {
        document.explained("figures", new Table<>(TrialColumns.of(trials), trials));
        document.explained(
                "latencies",
                RunTables.latencies(trials),
                Remarks.of(Mark.NONE, trials.stream().map(RunReport::summary).toList()));
    }

    private static Sentence summary(TrialResult trial) {
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("report.trial", TrialDetails.heading(trial)));
        TrialDetails.facts(trial).forEach(f -> parts.add(Sentence.of("report.fact", f.label(), f.text())));
        return Sentence.joined(parts);
    }

    private void rebalances() {
        var byTrial = FaultTable.rebalancesByTrial(result);
        // The cells alone are not self-explanatory.
        Sentence cells = full ? Sentence.NONE : Sentence.of("report.about.rebalancesByTrial");
        byTrial.ifPresent(table -> document.explained("rebalancesByTrial", table, new Paragraph(cells, true)));
        if (full || byTrial.isEmpty()) {
            document.explained("rebalances", FaultTable.rebalances(result));
        }
    }

    /** Tables that would be a page of their own with many trials, which a terminal has no room for. */
    private void observed() {
        if (full || trials.size() == 1) {
            document.explained("brokers", ObservedTables.brokers(trials));
            document.explained("topics", ObservedTables.topics(trials));
            document.explained("workers", ObservedTables.workers(trials));
            document.explained("groups", ObservedTables.groups(trials));
        }
    }

    private void audits() {
        List<TrialResult> audited =
                trials.stream().filter(t -> t.audit() != null).toList();
        List<AuditResult> clean = new ArrayList<>();
        audited.stream().map(TrialResult::audit).filter(RunReport::isClean).forEach(clean::add);
        boolean summed = !full && clean.size() > MOST_IN_FULL;
        List<Remark> remarks = new ArrayList<>();
        if (summed) {
            remarks.add(Remark.of(Mark.GOOD, AuditText.ofClean(clean)));
        }
        for (TrialResult trial : audited) {
            AuditResult audit = trial.audit();
            if (!summed || !isClean(audit)) {
                Sentence said = AuditText.of(audit);
                remarks.add(new Remark(
                        Mark.of(audit.complete() && !audit.violated()),
                        trials.size() > 1 ? Sentence.of("text.at", trial.name(), said) : said,
                        audit.findings()));
            }
        }
        document.add("audit", new Remarks(remarks));
    }

    private static boolean isClean(AuditResult audit) {
        return audit.complete() && !audit.violated() && audit.findings().isEmpty();
    }

    private void details() {
        document.add("consumerGroups", new Rows(RunTables.groups(trials)));
        document.add("errorsAndEvents", new Rows(RunTables.errors(trials)));
        document.add("brokersByThePartitionsThatTheyLead", new Rows(RunTables.leaders(trials)));
        int left = trials.stream().mapToInt(t -> t.detail().partitions().size()).sum() - MOST_PARTITIONS;
        document.add(
                "partitions",
                new Rows(RunTables.partitions(trials, MOST_PARTITIONS)),
                new Paragraph(left > 0 ? Sentence.of("report.morePartitions", left) : Sentence.NONE, true));
    }

    private void environment() {
        Paragraph where = new Paragraph(RunReport.place(result), true);
        Rows sources = new Rows(RunTables.sources(result));
        if (full) {
            document.add(
                    "environment",
                    where,
                    new Heading(Sentence.of("report.title.brokers")),
                    new Rows(RunTables.brokers(result)),
                    new Heading(Sentence.of("report.title.brokerHosts")),
                    sources,
                    new Heading(Sentence.of("report.title.hostOfTheLoadGenerator")),
                    new Rows(RunTables.facts(result)));
        } else {
            document.add("brokerHosts", sources).add(where);
        }
    }

    static Sentence place(RunResult result) {
        List<Sentence> parts = new ArrayList<>();
        if (result.environment() != null && result.environment().cluster() != null) {
            parts.add(cluster(result.environment().cluster()));
        }
        if (result.tool() != null) {
            parts.add(Sentence.verbatim("plimsoll " + result.tool().version()));
            if (result.tool().kafkaClientVersion() != null) {
                parts.add(Sentence.of("report.client", result.tool().kafkaClientVersion()));
                parts.add(Sentence.verbatim("Java " + result.tool().java()));
            }
        }
        if (result.environment() != null) {
            result.environment().selfWarmups().forEach(done -> parts.add(selfWarmup(done)));
        }
        boolean imported = result.tool() != null && result.tool().kafkaClientVersion() == null;
        Sentence.addIf(!imported, parts, "report.seed", result.head().seed());
        return Sentence.of("report.environment", parts);
    }

    private static Sentence selfWarmup(SelfWarmup done) {
        return Sentence.of(
                "report.selfWarmup",
                done.worker().equals("local") ? Sentence.NONE : Sentence.of("report.selfWarmupOf", done.worker()),
                Units.decimals(done.seconds(), 1),
                Units.count(done.records()),
                done.outcome(),
                done.without().isEmpty() ? Sentence.NONE : Sentence.of("report.selfWarmupWithout", done.without()));
    }

    static Sentence cluster(Cluster cluster) {
        int brokers = cluster.brokers().size();
        if (brokers == 0) {
            return Sentence.of("report.noCluster");
        }
        String version = cluster.kafkaVersion() == null ? "Kafka" : "Kafka " + cluster.kafkaVersion();
        return Sentence.of(cluster.lab() ? "report.lab" : "report.cluster", version, brokers);
    }
}
