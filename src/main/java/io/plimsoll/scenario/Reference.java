package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.KeyShape.Entries;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Published figures that a scenario reproduces, as tables in the layout of the original: each row is one trial.
 *
 * @param conclusions statements of the original about its figures
 */
public record Reference(Sentence source, List<Table> tables, List<Conclusion> conclusions) {
    /** Units of published figures; in Kafka's own tools, MB means MiB. */
    private static final List<Unit> UNITS = List.of(
            new Unit("", Dimension.COUNT, 1),
            new Unit("", Dimension.BYTES, 1),
            new Unit("KB", Dimension.BYTES, 1e3),
            new Unit("MB", Dimension.BYTES, 1e6),
            new Unit("GB", Dimension.BYTES, 1e9),
            new Unit("ms", Dimension.MICROSECONDS, 1e3),
            new Unit("s", Dimension.MICROSECONDS, 1e6),
            new Unit("min", Dimension.MICROSECONDS, 60e6),
            new Unit("MB/s", Dimension.BYTES_PER_SECOND, 1e6),
            new Unit("MiB/s", Dimension.BYTES_PER_SECOND, 1 << 20),
            new Unit("records/s", Dimension.RECORDS_PER_SECOND, 1),
            new Unit("%", Dimension.RATIO, 0.01));

    public Reference {
        tables = List.copyOf(tables);
        conclusions = conclusions == null ? List.of() : List.copyOf(conclusions);
    }

    /** This reference with only the rows of these trials, and without tables that lose all their rows. */
    Reference of(Collection<String> trials) {
        return new Reference(
                source,
                tables.stream()
                        .filter(table -> table.rows().isEmpty()
                                || table.rows().stream().anyMatch(row -> trials.contains(row.trial())))
                        .map(table -> table.of(trials))
                        .toList(),
                conclusions);
    }

    /**
     * @param rows rows of the table; if empty, the report has one row for each trial that measured a figure of the
     *     columns
     * @param notes footnotes
     */
    public record Table(Sentence title, List<Column> columns, List<Row> rows, List<Sentence> notes) {
        public Table {
            columns = List.copyOf(columns);
            rows = List.copyOf(rows);
            notes = notes == null ? List.of() : List.copyOf(notes);
        }

        private Table of(Collection<String> trials) {
            return new Table(
                    title,
                    columns,
                    rows.stream().filter(row -> trials.contains(row.trial())).toList(),
                    notes);
        }
    }

    /**
     * @param figure measured figure, see {@link Figures}; empty if the column is only quoted
     * @param unit empty for plain numbers
     */
    public record Column(Sentence name, String figure, String unit) {
        public boolean quotedOnly() {
            return figure.isEmpty();
        }
    }

    /**
     * @param values as published, one per column
     * @param part number of a client or group of the trial, from 1 in the order of the scenario; 0 for all
     */
    public record Row(String trial, List<@Nullable Sentence> values, int part) {
        public Row {
            values = Collections.unmodifiableList(new ArrayList<>(values));
        }

        public Row(String trial, List<Sentence> values) {
            this(trial, values, 0);
        }
    }

    /** @param checks texts of {@link CrossCheck}s, which all pass if the conclusion holds; empty if it cannot be checked */
    public record Conclusion(Sentence text, List<String> checks) {
        public Conclusion {
            checks = List.copyOf(checks);
        }
    }

    /** @param divisor divisor that converts a figure from its own unit */
    public record Unit(String name, Dimension dimension, double divisor) {}

    /** The unit with this name for one of the dimensions of a figure. */
    public static Optional<Unit> unit(String name, Set<Dimension> dimensions) {
        return UNITS.stream()
                .filter(unit -> unit.name.equals(name) && dimensions.contains(unit.dimension))
                .findFirst();
    }

    static List<Object> unitsFor(Set<Dimension> dimensions) {
        return UNITS.stream()
                .filter(unit -> dimensions.contains(unit.dimension))
                .map(Unit::name)
                .sorted()
                .map(name -> name.isEmpty() ? (Object) Sentence.of("scenario.noUnitAtAll") : name)
                .toList();
    }

    /** Reads the key {@code reference}. */
    static final class Reading {
        private static final String QUOTED = "text";
        private static final Key<String> TRIAL =
                Key.scalar("trial", "scenario.a.trial", "", text -> text).required();
        private static final Key<?> VALUES = Key.part(
                        "values", new KeyShape.Value(Sentence.of("scenario.a.columnValues")))
                .required();
        private static final int MOST_PARTS = 1000;
        private static final Key<Integer> PART =
                Key.count("part", 0, MOST_PARTS).noneByDefault();
        private static final Key<Sentence> TITLE = said("title");
        private static final Key<?> NOTES = Key.part("notes", new KeyShape.Value(Sentence.of("scenario.a.texts")))
                .noneByDefault();
        private static final Key<Sentence> TEXT = said("text").required();
        private static final Key<?> HOLDS = Key.part(
                        "checks", new KeyShape.Value(Sentence.of("scenario.a.list", "[trials.b.produce.errors == 0]")))
                .noneByDefault();
        private static final Key<?> CONCLUSIONS = Key.part(
                        "conclusions", Entries.of("{text: two are faster, checks: [trials.b…]}", List.of(TEXT, HOLDS)))
                .noneByDefault();
        private static final Key<?> COLUMNS = Key.part(
                "columns",
                new KeyShape.Open(Sentence.of("scenario.a.columns", "{\"p99 ms\": produce.response.p99 in ms}")));
        private static final Key<?> ROWS =
                Key.part("rows", Entries.of("{trial: slow, values: [1000, 20.5]}", List.of(TRIAL, VALUES, PART)));
        private static final Key<Sentence> SOURCE = said("source");
        private static final Key<?> TABLES = Key.part(
                "tables",
                Entries.of(
                        "{columns: {\"p99 ms\": produce.response.p99 in ms}, rows: [{trial: slow, values:"
                                + " [20.5]}]}",
                        List.of(TITLE, COLUMNS, ROWS, NOTES)));
        static final Key<?> REFERENCE = Key.part(
                        "reference",
                        Section.of("{source: a paper, tables: [{title: Latency}]}", SOURCE, TABLES, CONCLUSIONS))
                .noneByDefault();

        private final List<Plan.Trial> trials;

        private Reading(List<Plan.Trial> trials) {
            this.trials = trials;
        }

        private static Key<Sentence> said(String name) {
            KeyShape shape = new KeyShape.Value(Sentence.of("scenario.a.text"));
            return Key.of(
                    name,
                    shape,
                    Sentence.NONE,
                    (entry, key) ->
                            Optional.ofNullable(said(entry, key, entry.node(key).orElseThrow())),
                    Sentence.class);
        }

        /** A text, or a text in both languages as {@code {en: …, zh: …}}; null for an empty text. */
        private static @Nullable Sentence said(EntryReading form, String key, YamlNode node) {
            if (node instanceof Scalar scalar) {
                return scalar.isNull() ? null : Sentence.verbatim(scalar.text());
            }
            if (node instanceof Fields both
                    && both.fields().keySet().equals(Set.of("en", "zh"))
                    && both.value("en") instanceof Scalar en
                    && both.value("zh") instanceof Scalar zh) {
                return Sentence.both(en.text(), zh.text());
            }
            form.problemIn(
                    node.at(), key, "scenario.expected", Sentence.of("scenario.a.texts"), node.found(), Sentence.NONE);
            return Sentence.NONE;
        }

        static Optional<Reference> bind(EntryReading scenario, List<Plan.Trial> trials) {
            return scenario.below("reference").map(new Reading(trials)::reference);
        }

        private Reference reference(EntryReading form) {
            List<Table> tables =
                    form.entries("tables").stream().map(this::table).toList();
            List<Conclusion> conclusions =
                    form.entries("conclusions").stream().map(this::conclusion).toList();
            return new Reference(form.get(SOURCE), tables, conclusions);
        }

        private Conclusion conclusion(EntryReading form) {
            List<String> checks = new ArrayList<>();
            List<YamlNode> values = items(form, "checks");
            for (int i = 0; i < values.size(); i++) {
                YamlNode value = values.get(i);
                String path = "checks[" + i + "]";
                if (value instanceof Scalar check && !check.isNull()) {
                    ScenarioReader.comparison(form, path, check, trials).ifPresent(c -> checks.add(c.text()));
                } else {
                    form.problemIn(value.at(), path, "scenario.noSingleValue", value.found());
                }
            }
            return new Conclusion(form.get(TEXT), checks);
        }

        private static List<YamlNode> items(EntryReading form, String key) {
            YamlNode node = form.node(key).orElse(null);
            if (node != null && !(node instanceof Items)) {
                form.unexpected(key, node);
            }
            return node instanceof Items items ? items.values() : List.of();
        }

        private Table table(EntryReading form) {
            List<Column> columns = new ArrayList<>();
            form.map("columns").ifPresent(fields -> fields.fields()
                    .forEach((name, field) -> columns.add(column(form, name, field))));
            if (columns.isEmpty()) {
                form.problem("scenario.noColumns");
            }
            List<Row> rows = new ArrayList<>();
            form.entries("rows").forEach(row -> rows.add(row(row, columns.size())));
            List<Sentence> notes = items(form, "notes").stream()
                    .map(note -> said(form, "notes", note))
                    .filter(Objects::nonNull)
                    .toList();
            return new Table(form.get(TITLE), columns, rows, notes);
        }

        private static Column column(EntryReading form, String english, Field given) {
            Field field = given;
            Sentence name = Sentence.verbatim(english);
            if (given.value() instanceof Fields both
                    && both.fields().keySet().equals(Set.of("of", "zh"))
                    && both.value("zh") instanceof Scalar chinese) {
                field = Objects.requireNonNull(both.fields().get("of"));
                name = Sentence.both(english, chinese.text());
            }
            String text = field.value() instanceof Scalar scalar && !scalar.isNull()
                    ? scalar.text().strip()
                    : "";
            if (text.equals(QUOTED)) {
                return new Column(name, "", "");
            }
            int in = text.lastIndexOf(" in ");
            String figure =
                    CheckParser.today(in < 0 ? text : text.substring(0, in).strip());
            String unit = in < 0 ? "" : text.substring(in + 4).strip();
            Set<Dimension> dimensions = Figures.ALL.get(figure);
            if (dimensions == null) {
                form.problemIn(
                        field.value().at(),
                        "columns",
                        "scenario.expected",
                        Sentence.of("scenario.a.column"),
                        field.value().found(),
                        Suggestions.didYouMean(figure, Figures.ALL.keySet()));
            } else if (unit(unit, dimensions).isEmpty()) {
                List<Object> units = unitsFor(dimensions);
                form.problemIn(field.value().at(), "columns", "scenario.noUnit", figure, Texts.quoted(unit), units);
            }
            return new Column(name, figure, unit);
        }

        private Row row(EntryReading form, int columns) {
            String trial = form.get(TRIAL);
            List<String> names = trials.stream().map(Plan.Trial::name).toList();
            if (form.has("trial") && !names.contains(trial)) {
                form.problemAt("trial", "scenario.noTrial", Texts.quoted(trial), Suggestions.hint(trial, names));
            }
            List<Sentence> values = new ArrayList<>();
            YamlNode node = form.node("values").orElse(null);
            if (node instanceof Items items) {
                items.values().forEach(value -> values.add(said(form, "values", value)));
                if (columns > 0 && values.size() != columns) {
                    form.problemAt("values", "scenario.valuesForColumns", values.size(), columns);
                }
            } else if (node != null) {
                form.unexpected("values", node);
            }
            return new Row(trial, values, form.get(PART));
        }
    }
}
