package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.report.TrialColumns.Named;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

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
            report.checks();
        }
        report.faults();
        report.observed();
        report.workers();
        report.audits();
        report.consumers();
        report.errors();
        report.partitions();
        report.environment();
        report.settings();
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
        line(Markdown.table(CeilingTables.bounds(result.ceilings()), language));
        for (Ceiling ceiling : result.ceilings()) {
            line("### "
                    + said(
                            ceiling.parameters().isEmpty()
                                    ? Sentence.of("report.curve")
                                    : Sentence.of("report.curveOf", ceiling.parameters())));
            line("");
            line(Markdown.table(CeilingTables.curve(ceiling), language));
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

    private void observed() {
        if (BrokerTable.rows(trials).isEmpty()) {
            return;
        }
        heading(2, "report.title.brokers");
        paragraph(Sentence.of("report.about.brokers"));
        line(Markdown.table(BrokerTable.table(trials), language));
    }

    private void workers() {
        if (!WorkersTable.rows(trials).isEmpty()) {
            heading(2, "report.title.workers");
            paragraph(Sentence.of("report.about.workers"));
            line(Markdown.table(WorkersTable.table(trials), language));
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
            Table<ReferenceText.Line> lines = ReferenceText.table(table, true);
            table(lines.columns(), lines.rows());
        }
    }

    private void figures() {
        heading(2, "report.title.figures");
        paragraph(Sentence.of("report.about.figures"));
        table(TrialColumns.of(trials), trials);
        heading(2, "report.title.latencies");
        paragraph(Sentence.of("report.about.latencies"));
        record Row(TrialResult trial, Named named) {}
        List<Row> rows = trials.stream()
                .flatMap(t -> TrialColumns.latencies(t).stream().map(n -> new Row(t, n)))
                .toList();
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(text("report.label.trial", r -> r.trial().name()));
        for (Column<Named> c : TrialColumns.latencyColumns()) {
            Sentence header = c.header().equals(Sentence.NONE) ? Sentence.of("report.label.latency") : c.header();
            columns.add(new Column<>(header, c.numeric(), 0, r -> c.cell().apply(r.named())));
        }
        columns.add(number(
                "report.label.samples", r -> Units.count(r.named().latency().count())));
        table(columns, rows);
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

    private void checks() {
        section(
                "report.title.checks",
                List.of(
                        text("", r -> r.passed() ? "✅" : "❌"),
                        text("report.label.check", CheckRow::check),
                        number("report.label.measured", CheckRow::measured),
                        text("report.label.trial", CheckRow::trial)),
                CheckRow.of(trials, Integer.MAX_VALUE));
    }

    private void faults() {
        List<FaultTable.Row> rows = FaultTable.rows(result);
        if (rows.isEmpty()) {
            return;
        }
        heading(2, "report.title.faults");
        paragraph(Sentence.of("report.about.faults"));
        table(FaultTable.columns(result), rows);
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

    private void consumers() {
        record Row(String trial, TrialResult.Group group) {}
        List<Row> rows = trials.stream()
                .filter(t -> t.consume() != null)
                .flatMap(t -> t.consume().groups().stream().map(g -> new Row(t.name(), g)))
                .toList();
        section(
                "report.title.consumerGroups",
                List.of(
                        text("report.label.trial", Row::trial),
                        text("report.label.group", r -> r.group().id()),
                        number(
                                "report.label.members",
                                r -> Units.count(r.group().members())),
                        number(
                                "report.label.records",
                                r -> Units.count(r.group().records())),
                        number("report.label.lagAtEnd", r -> count(r.group().lagAtEnd())),
                        number(
                                "report.label.commits",
                                r -> Units.count(r.group().commits())),
                        number(
                                "report.label.rebalances",
                                r -> Units.count(r.group().rebalances()))),
                rows);
    }

    private static Object count(Long count) {
        return count == null ? Sentence.of("report.unknown") : Units.count(count);
    }

    /** None where it is not known. */
    private static Map<String, Long> kinds(TrialResult.Errors errors) {
        return errors == null ? Map.of() : errors.byKind();
    }

    private void errors() {
        record Row(String trial, Sentence doing, String kind, long count) {}
        List<Row> rows = new ArrayList<>();
        for (TrialResult t : trials) {
            if (t.produce() != null) {
                kinds(t.produce().errors())
                        .forEach((k, n) -> rows.add(new Row(t.name(), Sentence.of("report.while.producing"), k, n)));
                t.produce()
                        .events()
                        .forEach((k, n) ->
                                rows.add(new Row(t.name(), Sentence.of("report.while.producingNoFailure"), k, n)));
            }
            if (t.consume() != null) {
                kinds(t.consume().errors())
                        .forEach((k, n) -> rows.add(new Row(t.name(), Sentence.of("report.while.consuming"), k, n)));
            }
        }
        section(
                "report.title.errorsAndEvents",
                List.of(
                        text("report.label.trial", Row::trial),
                        text("report.label.while", Row::doing),
                        text("report.label.kind", Row::kind),
                        number("report.label.count", r -> Units.count(r.count()))),
                rows);
    }

    private void partitions() {
        section("report.title.brokersByThePartitionsThatTheyLead", BrokerRows.columns(), BrokerRows.of(trials));
        record Row(String trial, PartitionResult partition) {}
        List<Row> all = trials.stream()
                .flatMap(t -> t.detail().partitions().stream().map(p -> new Row(t.name(), p)))
                .toList();
        section(
                "report.title.partitions",
                List.of(
                        text("report.label.trial", Row::trial),
                        text("report.label.topic", r -> r.partition().topic()),
                        number(
                                "report.label.partition",
                                r -> String.valueOf(r.partition().partition())),
                        number("report.label.leader", r -> leader(r.partition())),
                        number(
                                "report.label.produced",
                                r -> Units.count(r.partition().produced())),
                        number(
                                "report.label.producedPerSecond",
                                r -> rate(r.partition().producedPerSecond())),
                        number(
                                "report.label.consumed",
                                r -> Units.count(r.partition().consumed())),
                        number(
                                "report.label.consumedPerSecond",
                                r -> rate(r.partition().consumedPerSecond()))),
                all.subList(0, Math.min(all.size(), MOST_PARTITIONS)));
        if (all.size() > MOST_PARTITIONS) {
            paragraph(Sentence.of("report.morePartitions", all.size() - MOST_PARTITIONS));
        }
    }

    private static String rate(Double perSecond) {
        return perSecond == null ? TrialColumns.NONE : Units.rate(perSecond);
    }

    private static String leader(PartitionResult p) {
        return p.leader() == null ? TrialColumns.NONE : p.leader().toString();
    }

    private void environment() {
        heading(2, "report.title.environment");
        line(said(EnvironmentText.of(result)));
        line("");
        section3(
                "report.title.brokers",
                List.of(
                        text("report.label.id", b -> String.valueOf(b.id())),
                        text("report.label.address", b -> b.host() + ":" + b.port()),
                        text("report.label.rack", b -> b.rack() == null ? TrialColumns.NONE : b.rack())),
                EnvironmentText.brokers(result));
        section3(
                "report.title.hostOfTheLoadGenerator",
                List.of(
                        text("report.label.fact", Map.Entry::getKey),
                        text("report.label.value", e -> EnvironmentText.value(e.getValue()))),
                EnvironmentText.facts(result));
    }

    private void settings() {
        record Row(String part, String key, String value, String where) {}
        List<Row> rows = new ArrayList<>();
        for (TrialResult t : trials) {
            t.detail().setup().forEach((part, config) -> config.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(e -> rows.add(new Row(part, e.getKey(), e.getValue(), t.name()))));
        }
        section(
                "report.title.clientSettingsThatDifferFromTheDefaults",
                List.of(
                        text("report.label.trial", Row::where),
                        text("report.label.part", Row::part),
                        text("report.label.setting", Row::key),
                        text("report.label.value", Row::value)),
                rows);
    }

    private void reproduction() {
        heading(2, "report.title.command");
        line(Markdown.block("", Shell.quote(result.head().command())));
        if (result.scenario() != null && !result.scenario().isEmpty()) {
            heading(2, "report.title.scenario");
            line(Markdown.block("yaml", ScenarioText.block(result.scenario())));
        }
    }

    private <T> void section(String title, List<Column<T>> columns, List<T> rows) {
        if (!rows.isEmpty()) {
            heading(2, title);
            table(columns, rows);
        }
    }

    private <T> void section3(String title, List<Column<T>> columns, List<T> rows) {
        if (!rows.isEmpty()) {
            heading(3, title);
            table(columns, rows);
        }
    }

    private static <T> Column<T> text(String key, Function<T, ?> cell) {
        return new Column<>(Table.label(key), false, 0, cell);
    }

    private static <T> Column<T> number(String key, Function<T, ?> cell) {
        return new Column<>(Table.label(key), true, 0, cell);
    }

    private <T> void table(List<Column<T>> columns, List<T> rows) {
        line(Markdown.table(new Table<>(columns, rows), language));
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
