package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Reference.Column;
import io.plimsoll.scenario.Reference.Row;
import io.plimsoll.scenario.Reference.Table;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads {@code reference}. */
final class ReferenceBinder {
    private static final String QUOTED = "text";
    private static final String EXAMPLE = "such as \"produce.response.p99 in ms\"";

    private final Set<String> trials;

    /** @param trials names of all trials of the file */
    private ReferenceBinder(Set<String> trials) {
        this.trials = trials;
    }

    static Optional<Reference> bind(Form scenario, Set<String> trials) {
        return scenario.form("reference").map(new ReferenceBinder(trials)::reference);
    }

    private Reference reference(Form form) {
        List<Table> tables = form.forms("tables").stream().map(this::table).toList();
        return new Reference(form.scalar("source").orElse(""), tables);
    }

    private Table table(Form form) {
        List<Column> columns = new ArrayList<>();
        form.open("columns")
                .ifPresent(fields -> fields.fields().forEach((name, field) -> columns.add(column(form, name, field))));
        if (columns.isEmpty()) {
            form.problem("a table needs columns, such as {records: text, \"p99 ms\": produce.response.p99 in ms}");
        }
        List<Row> rows = new ArrayList<>();
        form.forms("rows").forEach(row -> rows.add(row(row, columns.size())));
        return new Table(form.scalar("title").orElse(""), columns, rows);
    }

    private static Column column(Form form, String name, Field field) {
        String text = field.value() instanceof Scalar scalar && scalar.kind() != Kind.NULL
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
            form.problem(
                    field.value(),
                    "columns",
                    "expected text (only quoted) or a figure with its unit " + EXAMPLE + ", found "
                            + (text.isEmpty() ? field.value().found() : Texts.quoted(text))
                            + Suggestions.nearest(figure, Figures.ALL.keySet())
                                    .map(near -> "; did you mean " + near + "?")
                                    .orElse(""));
        } else if (ReferenceUnits.of(unit)
                .filter(u -> dimensions.contains(u.dimension()))
                .isEmpty()) {
            form.problem(
                    field.value(),
                    "columns",
                    figure + " has no unit " + Texts.quoted(unit) + "; give one of "
                            + String.join(", ", ReferenceUnits.namesFor(dimensions)));
        }
        return new Column(name, figure, unit);
    }

    private Row row(Form form, int columns) {
        String trial = form.required("trial", text -> text, "");
        if (form.has("trial") && !trials.contains(trial)) {
            form.problem(
                    "trial",
                    "there is no trial " + Texts.quoted(trial)
                            + Suggestions.nearest(trial, trials)
                                    .map(near -> "; did you mean " + near + "?")
                                    .orElse(""));
        }
        List<String> values = new ArrayList<>();
        YamlNode node = form.node("values").orElse(null);
        if (node instanceof Items items) {
            items.values().forEach(value -> values.add(value(form, value)));
            if (columns > 0 && values.size() != columns) {
                form.problem(
                        "values",
                        "has " + values.size() + (values.size() == 1 ? " value" : " values") + " for " + columns
                                + (columns == 1 ? " column" : " columns"));
            }
        } else if (node != null) {
            form.unexpected("values", node);
        } else {
            form.problem("the key values is missing; expected a list with one value a column");
        }
        return new Row(trial, values);
    }

    private static String value(Form form, YamlNode value) {
        if (!(value instanceof Scalar scalar)) {
            form.problem(value, "values", "expected a number or text, found " + value.found());
            return null;
        }
        return scalar.kind() == Kind.NULL ? null : scalar.text();
    }
}
