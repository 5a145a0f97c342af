package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.KeyShape.Entries;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.Reference.Column;
import io.plimsoll.scenario.Reference.Row;
import io.plimsoll.scenario.Reference.Table;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads {@code reference}. */
final class ReferenceBinder {
    private static final String QUOTED = "text";

    private static final Key<String> TRIAL = Key.scalar("trial", Sentence.of("scenario.a.trial"), "", text -> text)
            .required()
            .about("the trial that repeats it", "重现它的试验");
    private static final Key<?> VALUES = Key.part("values", new KeyShape.Value(Sentence.of("scenario.a.columnValues")))
            .required()
            .about("the values as published, one a column", "所发表的数值，每列一个");
    private static final Key<String> TITLE = Key.text("title").about("its heading", "标题");
    private static final Key<?> COLUMNS = Key.part(
                    "columns",
                    new KeyShape.Open(Sentence.of("scenario.a.columns", "{\"p99 ms\": produce.response.p99 in ms}")))
            .about(
                    "headings with what is measured for them: a [figure](#checks), ` in ` and its unit, or `text` for"
                            + " what is only quoted",
                    "列标题及为其测量的内容：[指标](#checks)、` in ` 和单位，或 `text` 表示仅引用");
    private static final Key<?> ROWS = Key.part(
                    "rows", Entries.of("{trial: slow, values: [1000, 20.5]}", List.of(TRIAL, VALUES)))
            .about(
                    "each with the `trial` that repeats it and the `values` as published, one a column; `null` where"
                            + " there is none",
                    "每行有重现它的 `trial` 和所发表的 `values`，每列一个；没有时为 `null`");
    private static final Key<String> SOURCE = Key.text("source").about("where the figures were published", "数值发表于何处");
    private static final Key<?> TABLES = Key.part(
                    "tables",
                    Entries.of(
                            "{columns: {\"p99 ms\": produce.response.p99 in ms}, rows: [{trial: slow, values:"
                                    + " [20.5]}]}",
                            List.of(TITLE, COLUMNS, ROWS)))
            .about("a list; each table has a `title`, `columns` and `rows`", "列表；每个表有 `title`、`columns` 和 `rows`");
    static final Key<?> REFERENCE = Key.part(
                    "reference", Section.of("{source: a paper, tables: [{title: Latency}]}", SOURCE, TABLES))
            .noneByDefault()
            .about(
                    "published figures, shown beside the measured ones, see [Reference](#reference)",
                    "所发表的数值，显示在测得的数值旁边，见 [Reference](#reference)");

    private final Set<String> trials;

    /** @param trials names of all trials of the file */
    private ReferenceBinder(Set<String> trials) {
        this.trials = trials;
    }

    static Optional<Reference> bind(EntryReading scenario, Set<String> trials) {
        return scenario.below("reference").map(new ReferenceBinder(trials)::reference);
    }

    private Reference reference(EntryReading form) {
        List<Table> tables = form.entries("tables").stream().map(this::table).toList();
        return new Reference(form.get(SOURCE), tables);
    }

    private Table table(EntryReading form) {
        List<Column> columns = new ArrayList<>();
        form.map("columns")
                .ifPresent(fields -> fields.fields().forEach((name, field) -> columns.add(column(form, name, field))));
        if (columns.isEmpty()) {
            form.problem("scenario.noColumns");
        }
        List<Row> rows = new ArrayList<>();
        form.entries("rows").forEach(row -> rows.add(row(row, columns.size())));
        return new Table(form.get(TITLE), columns, rows);
    }

    private static Column column(EntryReading form, String name, Field field) {
        String text = field.value() instanceof Scalar scalar && !scalar.isNull()
                ? scalar.text().strip()
                : "";
        if (text.equals(QUOTED)) {
            return new Column(name, "", "");
        }
        int in = text.lastIndexOf(" in ");
        String figure = in < 0 ? text : text.substring(0, in).strip();
        String unit = in < 0 ? "" : text.substring(in + 4).strip();
        Set<Dimension> dimensions = Figures.ALL.get(figure);
        if (dimensions == null) {
            form.problemIn(
                    field.value().at(),
                    "columns",
                    Sentence.of(
                            "scenario.expected",
                            Sentence.of("scenario.a.column"),
                            field.value().found(),
                            Suggestions.didYouMean(figure, Figures.ALL.keySet())));
        } else if (ReferenceUnits.of(unit)
                .filter(u -> dimensions.contains(u.dimension()))
                .isEmpty()) {
            form.problemIn(
                    field.value().at(),
                    "columns",
                    Sentence.of("scenario.noUnit", figure, Texts.quoted(unit), ReferenceUnits.namesFor(dimensions)));
        }
        return new Column(name, figure, unit);
    }

    private Row row(EntryReading form, int columns) {
        String trial = form.get(TRIAL);
        if (form.has("trial") && !trials.contains(trial)) {
            form.problemAt(
                    "trial",
                    Sentence.of("scenario.noTrial", Texts.quoted(trial), Suggestions.didYouMean(trial, trials)));
        }
        List<String> values = new ArrayList<>();
        YamlNode node = form.node("values").orElse(null);
        if (node instanceof Items items) {
            items.values().forEach(value -> values.add(value(form, value)));
            if (columns > 0 && values.size() != columns) {
                form.problemAt("values", Sentence.of("scenario.valuesForColumns", values.size(), columns));
            }
        } else if (node != null) {
            form.unexpected("values", node);
        }
        return new Row(trial, values);
    }

    private static String value(EntryReading form, YamlNode value) {
        if (!(value instanceof Scalar scalar)) {
            form.problemIn(
                    value.at(),
                    "values",
                    Sentence.of("scenario.expected", Sentence.of("scenario.a.single"), value.found(), Sentence.NONE));
            return null;
        }
        return scalar.isNull() ? null : scalar.text();
    }
}
