package io.plimsoll.report;

import io.plimsoll.Typed;
import io.plimsoll.report.Block.Command;
import io.plimsoll.report.Block.Remark;
import io.plimsoll.report.CheckRow.Between;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.HostBound;
import io.plimsoll.result.Json;
import io.plimsoll.result.Limits;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.Remarks;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** The report of a run: verdict, key figures, bottleneck, next steps and warnings, then details. Terminals show a brief version. */
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

    public static String terminal(RunResult result, Look look) {
        return TerminalText.of(new RunReport(result, false).document(Map.of()), look);
    }

    public static String markdown(RunResult result, Language language) {
        return markdown(result, Map.of(), language);
    }

    /** @param pictures titles of the pictures, by path relative to the report */
    public static String markdown(RunResult result, Map<String, String> pictures, Language language) {
        return Markdown.of(new RunReport(result, true).document(pictures), language);
    }

    private Document document(Map<String, String> pictures) {
        boolean searched = !result.ceilings().isEmpty();
        verdict();
        if (searched) {
            bounds();
        } else if (trials.size() == 1) {
            document.add(Block.facts(TrialDetails.keyFigures(trials.get(0))));
        } else if (!full) {
            document.add(Block.rows(new Table<>(TrialDetails.of(trials), trials)));
        }
        document.add("whatLimitedIt", Block.remarks(Mark.POINT, limits()));
        document.add("next", Block.commands(full ? List.of() : nextSteps(result)));
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
                        .map(p -> Block.picture(p.getKey(), p.getValue()))
                        .toArray(Block[]::new));
        if (!searched) {
            document.add("checks", Block.rows(CheckRow.table(trials, full ? Integer.MAX_VALUE : MOST_IN_FULL)));
            document.add("checksBetweenTrials", Block.rows(Between.table(result)));
        }
        document.explained("faults", FaultTable.notable(result), Block.remarks(Mark.NONE, FaultTable.remarks(result)));
        slowMoments();
        rebalances();
        observed();
        audits();
        if (full) {
            details();
        }
        environment();
        if (full) {
            document.add("clientSettingsThatDifferFromTheDefaults", Block.rows(RunTables.settings(trials)));
            document.add("command", Block.code("", Text.quote(result.head().command())));
            document.add("scenario", Block.code("yaml", scenario(result)));
        }
        return document;
    }

    /** The scenario in the form that a user would write; empty if the run has no scenario. */
    public static String scenario(RunResult result) {
        if (result.scenario() == null || result.scenario().isEmpty()) {
            return "";
        }
        DumpSettings block =
                DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
        // Converted through JSON, so that only maps, lists, text and numbers remain.
        return new Dump(block).dumpToString(Json.MAPPER.convertValue(result.scenario(), Map.class));
    }

    private void verdict() {
        Block verdict =
                Block.verdict(Mark.of(result.head().outcome()), result.verdict().sentence());
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
        document.add(verdict, Block.text(started));
    }

    /** Adds the warnings; a brief report shows only the most important ones, and how to see the rest. */
    private void warnings() {
        List<Sentence> all = result.verdict().warnings();
        int shown = full ? all.size() : Math.min(MOST_WARNINGS, all.size());
        int more = all.size() - shown;
        document.add(
                "worthKnowing",
                Block.remarks(Mark.NOTE, all.subList(0, shown)),
                Block.aside(more > 0 ? Sentence.of("report.moreWarnings", more) : Sentence.NONE));
        document.add("notes", Block.remarks(Mark.POINT, full ? result.verdict().notes() : List.of()));
    }

    private static Instant seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    private void bounds() {
        boolean one = result.ceilings().size() == 1;
        document.add(
                Sentence.of(one ? "report.title.ceiling" : "report.title.ceilings"),
                Sentence.of("report.about.ceilings"),
                List.of(Block.rows(RunTables.bounds(result.ceilings()))));
    }

    private void curves() {
        List<Ceiling> ceilings = result.ceilings();
        for (Ceiling ceiling : full || ceilings.size() == 1 ? ceilings : List.<Ceiling>of()) {
            String setting = SettingNames.joined(ceiling.parameters());
            document.add(
                    setting.isEmpty() ? Sentence.of("report.curve") : Sentence.of("report.curveOf", setting),
                    Block.rows(RunTables.curve(ceiling)));
        }
    }

    private void trial(TrialResult trial) {
        document.add(Block.text(TrialDetails.heading(trial)))
                .add(Block.rows(TrialDetails.flow(trial)))
                .add(Block.rows(new Table<>(TrialDetails.latencyColumns(""), TrialDetails.latencies(trial))))
                .add(Block.facts(TrialDetails.facts(trial)));
    }

    private void reference() {
        List<Block> blocks = new ArrayList<>(List.of(Block.aside(ReferenceText.caption(result))));
        for (ReferenceTable table : result.published().tables()) {
            blocks.add(Block.rows(table.title(), ReferenceText.table(table, true)));
            blocks.add(Block.remarks(Mark.NONE, table.notes()));
        }
        document.add(Sentence.of("report.title." + ReferenceText.title(result)), Sentence.NONE, blocks);
    }

    private void conclusions() {
        List<Remark> all = result.published().conclusions().stream()
                .map(c -> new Remark(Mark.of(c.holds()), c.text(), Between.evidence(c)))
                .toList();
        if (!all.isEmpty()) {
            document.add("conclusions", Block.text(Between.summary(result)), Block.remarks(all));
        }
    }

    private void figures() {
        document.explained("figures", new Table<>(TrialDetails.of(trials), trials));
        document.explained(
                "latencies",
                RunTables.latencies(trials),
                Block.remarks(Mark.NONE, trials.stream().map(RunReport::summary).toList()));
    }

    private static Sentence summary(TrialResult trial) {
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("report.trial", TrialDetails.heading(trial)));
        TrialDetails.facts(trial).forEach(f -> parts.add(Sentence.of("report.fact", f.label(), f.text())));
        return Sentence.joined(parts);
    }

    private void slowMoments() {
        if (full) {
            document.explained("slowMoments", SlowText.table(trials));
        } else if (trials.size() == 1) {
            document.add("slowMoments", Block.remarks(Mark.NONE, SlowText.worst(trials.get(0), MOST_IN_FULL)));
        }
    }

    private void rebalances() {
        var byTrial = FaultTable.rebalancesByTrial(result);
        // The cells need an explanation.
        Sentence cells = full ? Sentence.NONE : Sentence.of("report.about.rebalancesByTrial");
        byTrial.ifPresent(table -> document.explained("rebalancesByTrial", table, Block.aside(cells)));
        if (full || byTrial.isEmpty()) {
            document.explained("rebalances", FaultTable.rebalances(result));
        }
    }

    /** Adds tables that are too long for a terminal if a run has many trials. */
    private void observed() {
        if (full || trials.size() == 1) {
            document.explained("labels", RunTables.labels(trials));
            document.explained("brokers", RunTables.brokers(trials));
            document.explained("topics", RunTables.topics(trials));
            document.explained("workers", RunTables.workers(trials));
            document.explained("groups", RunTables.observedGroups(trials));
        }
    }

    private void audits() {
        List<AuditResult> clean = trials.stream()
                .flatMap(t -> Stream.ofNullable(t.audit()))
                .filter(RunReport::isClean)
                .toList();
        boolean summed = !full && clean.size() > MOST_IN_FULL;
        List<Remark> remarks = new ArrayList<>();
        if (summed) {
            remarks.add(new Remark(Mark.GOOD, AuditText.ofClean(clean), List.of()));
        }
        for (TrialResult trial : trials) {
            AuditResult audit = trial.audit();
            if (audit != null && !(summed && isClean(audit))) {
                Sentence said = AuditText.of(audit);
                remarks.add(new Remark(
                        Mark.of(audit.complete() && !audit.violated()),
                        trials.size() > 1 ? Sentence.of("text.at", trial.name(), said) : said,
                        audit.findings()));
            }
        }
        document.add("audit", Block.remarks(remarks));
    }

    private static boolean isClean(AuditResult audit) {
        return audit.complete() && !audit.violated() && audit.findings().isEmpty();
    }

    private void details() {
        document.add("consumerGroups", Block.rows(RunTables.groups(trials)));
        document.add("errorsAndEvents", Block.rows(RunTables.errors(trials)));
        document.add("brokersByThePartitionsThatTheyLead", Block.rows(RunTables.leaders(trials)));
        int left = trials.stream().mapToInt(t -> t.detail().partitions().size()).sum() - MOST_PARTITIONS;
        document.add(
                "partitions",
                Block.rows(RunTables.partitions(trials, MOST_PARTITIONS)),
                Block.aside(left > 0 ? Sentence.of("report.morePartitions", left) : Sentence.NONE));
    }

    private void environment() {
        Block where = Block.aside(RunReport.place(result));
        if (full) {
            document.add(
                    "environment",
                    where,
                    Block.rows(Sentence.of("report.title.brokers"), RunTables.brokers(result)),
                    Block.rows(Sentence.of("report.title.brokerHosts"), RunTables.sources(result)),
                    Block.rows(Sentence.of("report.title.hostOfTheLoadGenerator"), RunTables.facts(result)));
        } else {
            document.add("brokerHosts", Block.rows(RunTables.sources(result))).add(where);
        }
    }

    static Sentence place(RunResult result) {
        List<Sentence> parts = new ArrayList<>();
        if (result.cluster() != null) {
            parts.add(cluster(result.cluster()));
        }
        if (result.tool() != null) {
            parts.add(Sentence.verbatim("plimsoll " + result.tool().version()));
            if (result.tool().kafkaClientVersion() != null) {
                parts.add(Sentence.of("report.client", result.tool().kafkaClientVersion()));
                parts.add(Sentence.verbatim("Java " + result.tool().java()));
            }
        }
        if (result.environment() != null) {
            List<SelfWarmup> warmups = result.environment().selfWarmups();
            if (warmups.size() <= MOST_IN_FULL) {
                warmups.forEach(done -> parts.add(selfWarmup(done)));
            } else {
                parts.add(Sentence.of(
                        "report.selfWarmups",
                        warmups.size(),
                        warmups.stream()
                                .filter(done -> done.end().equals(SelfWarmup.STEADY))
                                .count(),
                        Units.decimals(
                                warmups.stream()
                                        .mapToDouble(SelfWarmup::seconds)
                                        .max()
                                        .orElse(0),
                                1)));
            }
        }
        Sentence.addIf(!isImported(result), parts, "report.seed", result.head().seed());
        return Sentence.of("report.environment", parts);
    }

    /** Whether another tool measured the run. Its result then has no seed. */
    public static boolean isImported(RunResult result) {
        return result.tool() != null && result.tool().kafkaClientVersion() == null;
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

    static Sentence cluster(RunResult.Cluster cluster) {
        int brokers = cluster.brokers().size();
        if (brokers == 0) {
            return Sentence.of("report.noCluster");
        }
        String version = cluster.kafkaVersion() == null ? "Kafka" : "Kafka " + cluster.kafkaVersion();
        return Sentence.of(cluster.lab() ? "report.lab" : "report.cluster", version, brokers);
    }

    /** The next commands for a new user if the unmodified built-in scenario {@code quick} passed; otherwise empty. */
    static List<Command> nextSteps(RunResult result) {
        List<String> typed = result.head().command();
        if (!"quick".equals(result.head().name()) || !result.verdict().passed() || typed.size() < 2 || changed(typed)) {
            return List.of();
        }
        String same = Typed.program() + " " + Text.quote(typed.subList(1, typed.size()));
        boolean lab = result.cluster() == null || result.cluster().lab();
        List<Command> steps = new ArrayList<>();
        if (lab) {
            steps.add(new Command(
                    Typed.program() + " run --bootstrap-server HOST:PORT", Sentence.of("report.next.yours")));
        }
        long rate = rate(result.trials());
        if (rate > 0) {
            steps.add(new Command(
                    same + " --set trials=null --set producers.rate=" + rate + "/s",
                    Sentence.of("report.next.latency")));
        }
        if (!lab) {
            steps.add(new Command(same + " --set producers.config.acks=1", Sentence.of("report.next.acks")));
        }
        steps.add(new Command(Typed.program() + " host", Sentence.of("report.next.host")));
        return steps;
    }

    private static boolean changed(List<String> typed) {
        return typed.stream()
                .anyMatch(word -> word.startsWith("--set")
                        || word.startsWith("--scale")
                        || word.endsWith(".yaml")
                        || word.endsWith(".yml")
                        || word.contains("(redacted)"));
    }

    /**
     * Suggested records per second with two significant digits: a share of the closed-loop throughput; 0 without a
     * closed-loop trial.
     */
    private static long rate(List<TrialResult> trials) {
        double most = trials.stream()
                .filter(t -> t.pushed())
                .flatMap(t -> Stream.ofNullable(t.produce()))
                .mapToDouble(p -> Objects.requireNonNullElse(p.volume().recordsPerSecond(), 0.0))
                .max()
                .orElse(0);
        if (most < 1.5) {
            return 0;
        }
        double asked = most * (2.0 / 3);
        double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(asked)) - 1));
        return Math.round(Math.floor(asked / unit) * unit);
    }

    private static final int MOST_SUSPECTS = 3;
    private static final double WORTH_TELLING = 0.15;
    private static final double SMALLEST_STAGE = 0.01;
    private static final double SMALLEST_SHARE = 0.01;

    private List<Sentence> limits() {
        if (!result.ceilings().isEmpty()) {
            boolean several = result.ceilings().size() > 1;
            return result.ceilings().stream()
                    .flatMap(c -> Stream.concat(
                            c.cause() == null ? Stream.of() : ofCeiling(c, c.cause(), several).stream(),
                            several ? Stream.of() : bounds(c.bounds()).stream()))
                    .toList();
        }
        if (trials.size() == 1) {
            Limits limits = trials.get(0).judgement().limits();
            return limits == null ? List.of() : whole(limits);
        }
        return Remarks.merged(
                trials.stream().map(TrialResult::name).toList(),
                trials.stream()
                        .filter(t -> t.judgement().limits() != null)
                        .map(t ->
                                new Remarks.Remark(t.name(), first(t.judgement().limits(), List.of())))
                        .toList());
    }

    private static Sentence first(Limits limits, List<?> evidence) {
        Limits.Suspect first = limits.first();
        return first == null
                ? Sentence.of("report.limit.nothing")
                : Sentence.of("report.limit.first", first.sentence(), evidence(evidence));
    }

    private static List<Sentence> whole(Limits limits) {
        List<Sentence> paragraphs = new ArrayList<>();
        Limits.Suspect first = limits.first();
        paragraphs.add(first(limits, first == null ? List.of() : first.evidence()));
        limits.causes().stream()
                .filter(s -> !s.equals(first) && s.score() >= WORTH_TELLING)
                .limit(MOST_SUSPECTS - 1L)
                .forEach(s -> paragraphs.add(Sentence.of("report.limit.lessLikely", s.sentence())));
        if (!limits.stages().isEmpty()) {
            paragraphs.add(stages(limits.stages()));
        }
        paragraphs.addAll(bounds(limits.bounds()));
        return paragraphs;
    }

    /** The resources in descending order of utilization; little-used resources are omitted. */
    private static List<Sentence> bounds(List<HostBound> bounds) {
        return bounds.stream()
                .filter(b -> b.share() >= SMALLEST_SHARE)
                .sorted(Comparator.comparingDouble(HostBound::share).reversed())
                .map(b -> Sentence.of("report.limit.bound", b.sentence()))
                .toList();
    }

    private static List<Sentence> ofCeiling(Ceiling c, Ceiling.Cause cause, boolean several) {
        List<Sentence> first = new ArrayList<>();
        first.add(
                cause.named().limit() == null
                        ? Sentence.of("report.limit.nothing")
                        : Sentence.of("report.limit.first", cause.sentence(), evidence(cause.evidence())));
        if (cause.proof() != null) {
            first.add(cause.proof());
        }
        Sentence found = Sentence.joined(first);
        if (several) {
            return List.of(Sentence.of("report.limit.of", SettingNames.joined(c.parameters()), found));
        }
        List<Sentence> paragraphs = new ArrayList<>(List.of(found));
        cause.probes().forEach(p -> paragraphs.add(p.sentence()));
        cause.others().stream()
                .limit(MOST_SUSPECTS - 1L)
                .forEach(s -> paragraphs.add(Sentence.of("report.limit.lessLikelyBy", s.limit(), s.evidence())));
        if (!cause.stages().isEmpty()) {
            paragraphs.add(stages(cause.stages()));
        }
        Limits.Growth growth = cause.growth();
        if (growth != null) {
            paragraphs.add(Sentence.of("report.limit.growth", growth.stage(), ms(growth.fromMs()), ms(growth.toMs())));
        }
        return paragraphs;
    }

    private static Sentence evidence(List<?> evidence) {
        return evidence.isEmpty() ? Sentence.NONE : Sentence.of("report.limit.evidence", evidence);
    }

    /** A sentence such as {@code A record's 12.1 ms: in the batch 4.0 ms (33 %) · broker: append 3.1 ms (26 %) · …}. */
    static Sentence stages(List<Limits.Stage> stages) {
        double whole = stages.stream().mapToDouble(Limits.Stage::ms).sum();
        return Sentence.of(
                "report.limit.stages",
                ms(whole),
                stages.stream()
                        .filter(s -> s.share() >= SMALLEST_STAGE)
                        .map(s -> Sentence.of("report.limit.stage", s.name(), ms(s.ms()), Units.percent(s.share())))
                        .toList());
    }

    private static String ms(double ms) {
        return String.format(Locale.ROOT, ms < 10 ? "%.1f ms" : "%.0f ms", ms);
    }
}
