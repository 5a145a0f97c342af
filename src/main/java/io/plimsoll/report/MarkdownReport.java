package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.report.TrialColumns.Named;
import io.plimsoll.report.language.Translation;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunDirectory;
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
    private final Translation translation;
    private final Language language;
    private final StringBuilder out = new StringBuilder();

    private MarkdownReport(RunResult result, Language language) {
        this.result = result;
        this.language = language;
        this.translation = Translation.to(language);
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
        paragraph((passed ? "✅ " : "❌ ") + "**" + said(result.verdict().sentence()) + "**");
        String ended = result.head().endedAt() == null
                ? "killed before its end"
                : "ended " + seconds(result.head().endedAt());
        String exit = result.head().exitCode() == null
                ? ""
                : ", exit code " + result.head().exitCode();
        paragraph("Started " + seconds(result.head().startedAt()) + ", " + ended + exit + ".");
        if (!result.verdict().warnings().isEmpty()) {
            heading(2, "Worth knowing");
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
        heading(2, result.ceilings().size() == 1 ? "Ceiling" : "Ceilings");
        paragraph("The highest load that passed, and the lowest above it that failed. *Sustained*: 99 % of what was due"
                + " was acknowledged in time, no backlog grew, nothing failed, nothing was lost.");
        line(Markdown.table(CeilingTables.bounds(result.ceilings()), translation));
        for (Ceiling ceiling : result.ceilings()) {
            String of = ceiling.parameters().isEmpty() ? "" : " of " + ceiling.parameters();
            heading(3, "Latency over load" + of);
            line(Markdown.table(CeilingTables.curve(ceiling), translation));
        }
    }

    private void limits() {
        List<String> paragraphs = LimitsText.of(result);
        if (!paragraphs.isEmpty()) {
            heading(2, result.ceilings().isEmpty() ? "What limited it" : "What the limit is");
            paragraphs.forEach(p -> paragraph(said(p)));
        }
    }

    private void observed() {
        if (BrokerTable.rows(trials).isEmpty()) {
            return;
        }
        heading(2, "Brokers");
        paragraph(
                "As they were observed within the measured window: CPU in cores, traffic, how idle their threads were,"
                        + " and mean times of a produce request by stage.");
        line(Markdown.table(BrokerTable.table(trials), translation));
    }

    private void workers() {
        if (!WorkersTable.rows(trials).isEmpty()) {
            heading(2, "Workers");
            paragraph(
                    "What each agent of the fleet did. *Clock*: how well its offset from the coordinator's is known.");
            line(Markdown.table(WorkersTable.table(trials), translation));
        }
    }

    private void reference() {
        if (result.published().tables().isEmpty()) {
            return;
        }
        heading(2, "Published and measured");
        paragraph(said(ReferenceText.caption(result)));
        for (ReferenceTable table : result.published().tables()) {
            if (!table.title().isEmpty()) {
                heading(3, table.title());
            }
            Table<ReferenceText.Line> lines = ReferenceText.table(table, true);
            table(lines.columns(), lines.rows());
        }
    }

    private void figures() {
        heading(2, "Figures");
        paragraph("MB are 10⁶ bytes of keys and values. Response time runs from the moment a record was due to its"
                + " acknowledgement.");
        table(TrialColumns.of(trials), trials);
        heading(2, "Latencies");
        paragraph(
                "*Service* runs from the actual send to the acknowledgement, *send delay* from the moment a record was"
                    + " due to its actual send, *end-to-end* to its reception by a consumer. A percentile with fewer"
                    + " than ten samples beyond it is left out (–).");
        record Row(TrialResult trial, Named named) {}
        List<Row> rows = trials.stream()
                .flatMap(t -> TrialColumns.latencies(t).stream().map(n -> new Row(t, n)))
                .toList();
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(text("trial", r -> r.trial().name()));
        for (Column<Named> c : TrialColumns.latencyColumns()) {
            String header = c.header().isEmpty() ? "latency" : c.header();
            columns.add(new Column<>(header, c.numeric(), 0, r -> c.cell().apply(r.named())));
        }
        columns.add(number("samples", r -> Units.count(r.named().latency().count())));
        table(columns, rows);
        for (TrialResult trial : trials) {
            line("- " + said(TrialDetails.heading(trial)) + stop()
                    + (trial.observed().generator() == null
                            ? ""
                            : label("Generator")
                                    + said(TrialDetails.generator(
                                            trial.observed().generator()))
                                    + stop())
                    + (trial.produce() == null || trial.produce().wire().requests() == null
                            ? ""
                            : label("Producers") + said(TrialDetails.batches(trial.produce())) + stop()));
        }
        line("");
    }

    private void checks() {
        section(
                "Checks",
                List.of(
                        text("", r -> r.passed() ? "✅" : "❌"),
                        text("check", CheckRow::check),
                        number("measured", CheckRow::measured),
                        text("trial", CheckRow::trial)),
                CheckRow.of(trials, Integer.MAX_VALUE));
    }

    private void faults() {
        List<FaultTable.Row> rows = FaultTable.rows(result);
        if (rows.isEmpty()) {
            return;
        }
        heading(2, "Faults");
        paragraph("A fault answers for everything from when it was asked for until the next one was, or the load ended."
                + " *Back after*: until 95 % of the earlier records/s were acknowledged again. *ISR full after*:"
                + " until every replica was in sync again (–: none was out of sync). *At* is seconds after the"
                + " trial's start.");
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
        heading(2, "Audit");
        for (TrialResult trial : audited) {
            String mark = "ok".equals(TrialColumns.audit(trial.audit())) ? "✅ " : "❌ ";
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
                "Consumer groups",
                List.of(
                        text("trial", Row::trial),
                        text("group", r -> r.group().id()),
                        number("members", r -> Units.count(r.group().members())),
                        number("records", r -> Units.count(r.group().records())),
                        number("lag at end", r -> count(r.group().lagAtEnd())),
                        number("commits", r -> Units.count(r.group().commits())),
                        number("rebalances", r -> Units.count(r.group().rebalances()))),
                rows);
    }

    private static String count(Long count) {
        return count == null ? "unknown" : Units.count(count);
    }

    /** None where it is not known. */
    private static Map<String, Long> kinds(TrialResult.Errors errors) {
        return errors == null ? Map.of() : errors.byKind();
    }

    private void errors() {
        record Row(String trial, String doing, String kind, long count) {}
        List<Row> rows = new ArrayList<>();
        for (TrialResult t : trials) {
            if (t.produce() != null) {
                kinds(t.produce().errors()).forEach((k, n) -> rows.add(new Row(t.name(), "producing", k, n)));
                t.produce().events().forEach((k, n) -> rows.add(new Row(t.name(), "producing (no failure)", k, n)));
            }
            if (t.consume() != null) {
                kinds(t.consume().errors()).forEach((k, n) -> rows.add(new Row(t.name(), "consuming", k, n)));
            }
        }
        section(
                "Errors and events",
                List.of(
                        text("trial", Row::trial),
                        text("while", Row::doing),
                        text("kind", Row::kind),
                        number("count", r -> Units.count(r.count()))),
                rows);
    }

    private void partitions() {
        section("Brokers by the partitions that they lead", BrokerRows.columns(), BrokerRows.of(trials));
        record Row(String trial, PartitionResult partition) {}
        List<Row> all = trials.stream()
                .flatMap(t -> t.detail().partitions().stream().map(p -> new Row(t.name(), p)))
                .toList();
        section(
                "Partitions",
                List.of(
                        text("trial", Row::trial),
                        text("topic", r -> r.partition().topic()),
                        number("partition", r -> String.valueOf(r.partition().partition())),
                        number("leader", r -> leader(r.partition())),
                        number("produced", r -> Units.count(r.partition().produced())),
                        number("produced/s", r -> rate(r.partition().producedPerSecond())),
                        number("consumed", r -> Units.count(r.partition().consumed())),
                        number("consumed/s", r -> rate(r.partition().consumedPerSecond()))),
                all.subList(0, Math.min(all.size(), MOST_PARTITIONS)));
        if (all.size() > MOST_PARTITIONS) {
            paragraph((all.size() - MOST_PARTITIONS) + " more are in " + RunDirectory.RESULT + ".");
        }
    }

    private static String rate(Double perSecond) {
        return perSecond == null ? TrialColumns.NONE : Units.rate(perSecond);
    }

    private static String leader(PartitionResult p) {
        return p.leader() == null ? TrialColumns.NONE : p.leader().toString();
    }

    private void environment() {
        heading(2, "Environment");
        paragraph(said(EnvironmentText.of(result)));
        section3(
                "Brokers",
                List.of(
                        text("id", b -> String.valueOf(b.id())),
                        text("address", b -> b.host() + ":" + b.port()),
                        text("rack", b -> b.rack() == null ? TrialColumns.NONE : b.rack())),
                EnvironmentText.brokers(result));
        section3(
                "Host of the load generator",
                List.of(text("fact", Map.Entry::getKey), text("value", e -> EnvironmentText.value(e.getValue()))),
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
                "Client settings that differ from the defaults",
                List.of(
                        text("trial", Row::where),
                        text("part", Row::part),
                        text("setting", Row::key),
                        text("value", Row::value)),
                rows);
    }

    private void reproduction() {
        heading(2, "Command");
        line(Markdown.block("", Shell.quote(result.head().command())));
        if (result.scenario() != null && !result.scenario().isEmpty()) {
            heading(2, "Scenario");
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

    private static <T> Column<T> text(String header, Function<T, String> cell) {
        return new Column<>(header, false, 0, cell);
    }

    private static <T> Column<T> number(String header, Function<T, String> cell) {
        return new Column<>(header, true, 0, cell);
    }

    private <T> void table(List<Column<T>> columns, List<T> rows) {
        line(Markdown.table(new Table<>(columns, rows), translation));
    }

    private void heading(int level, String text) {
        line("#".repeat(level) + " " + said(text));
        line("");
    }

    private void paragraph(String text) {
        line(translation.of(text));
        line("");
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private String said(String text) {
        return Markdown.escape(translation.of(text));
    }

    private String said(Sentence sentence) {
        return Markdown.escape(sentence.isVerbatim() ? translation.of(sentence.english()) : sentence.in(language));
    }

    private String label(String name) {
        return " " + said(name + ":") + " ";
    }

    private String stop() {
        return translation.of(".");
    }
}
