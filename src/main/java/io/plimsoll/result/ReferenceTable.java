package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonSetter;
import io.plimsoll.result.Json.AbsentIfEmpty;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Figures;
import io.plimsoll.scenario.Reference;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table of published figures and the corresponding measured figures, in the layout of the original.
 *
 * @param title title of the table in the original
 * @param notes notes on published values, each after its reference mark; empty, and absent in JSON, if none
 */
public record ReferenceTable(
        Sentence title,
        @JsonSetter(nulls = AS_EMPTY) List<Column> columns,
        @JsonSetter(nulls = AS_EMPTY) List<Row> rows,
        @AbsentIfEmpty List<Sentence> notes) {

    /**
     * @param figure name of the measured figure, as in checks; null where the original is only quoted
     * @param unit unit of the figure; empty for plain numbers; null where the figure is null
     */
    public record Column(
            Sentence name,
            @Nullable String figure,
            @Nullable String unit) {}

    /**
     * @param published published values as written; null where no value was published
     * @param measured measured values in the column's unit; null where no such figure exists, or the trial has not run
     */
    public record Row(String trial, List<@Nullable Sentence> published, List<@Nullable Double> measured) {}

    /** Whether the table quotes published figures, in addition to measured figures. */
    public boolean quotes() {
        return rows.stream().anyMatch(row -> IntStream.range(0, columns.size())
                .anyMatch(
                        i -> columns.get(i).figure() != null && row.published().get(i) != null));
    }

    static List<ReferenceTable> of(Reference reference, List<TrialResult> trials) {
        Map<String, TrialResult> byName = new LinkedHashMap<>();
        trials.forEach(trial -> byName.put(trial.name(), trial));
        return reference.tables().stream().map(t -> of(t, byName)).toList();
    }

    private static ReferenceTable of(Reference.Table table, Map<String, TrialResult> trials) {
        List<Column> columns = table.columns().stream()
                .map(c -> new Column(c.name(), c.quotedOnly() ? null : c.figure(), c.quotedOnly() ? null : c.unit()))
                .toList();
        List<Row> rows = new ArrayList<>();
        table.rows().forEach(row -> rows.add(row(row, table, trials.get(row.trial()))));
        if (rows.isEmpty()) {
            trials.values().stream()
                    .map(trial -> row(new Reference.Row(trial.name(), named(trial, table)), table, trial))
                    .filter(row -> row.measured().stream().anyMatch(Objects::nonNull))
                    .forEach(rows::add);
        }
        return new ReferenceTable(table.title(), columns, rows, table.notes());
    }

    private static List<@Nullable Sentence> named(TrialResult trial, Reference.Table table) {
        List<@Nullable Sentence> values = new ArrayList<>();
        table.columns().forEach(c -> values.add(c.quotedOnly() ? Sentence.verbatim(trial.name()) : null));
        return values;
    }

    private static Row row(Reference.Row published, Reference.Table table, @Nullable TrialResult trial) {
        List<@Nullable Double> measured = new ArrayList<>();
        table.columns()
                .forEach(c -> measured.add(trial == null || c.quotedOnly() ? null : value(trial, published.part(), c)));
        return new Row(published.trial(), published.values(), measured);
    }

    private static @Nullable Double value(TrialResult trial, int part, Reference.Column column) {
        Reference.Unit unit = Reference.unit(column.unit(), Figures.dimensions(column.figure()))
                .orElseThrow();
        OptionalDouble value = part == 0
                ? FigureCatalogue.value(trial, column.figure(), unit.dimension())
                : ofPart(trial, part - 1, column.figure(), unit.dimension());
        return value.isPresent() ? Double.valueOf(value.getAsDouble() / unit.divisor()) : null;
    }

    /** Records and rates of a single client or group. */
    private static OptionalDouble ofPart(TrialResult trial, int index, String figure, Dimension dimension) {
        boolean bytes = dimension == Dimension.BYTES_PER_SECOND;
        List<TrialResult.ProducerShare> clients =
                trial.produce() == null ? List.of() : trial.produce().sources().producers();
        List<TrialResult.Group> groups =
                trial.consume() == null ? List.of() : trial.consume().groups();
        if (figure.startsWith("produce.") && index < clients.size()) {
            TrialResult.ProducerShare c = clients.get(index);
            return value(figure, c.records(), bytes ? c.bytesPerSecond() : c.recordsPerSecond());
        }
        if (figure.startsWith("consume.") && index < groups.size()) {
            TrialResult.Group g = groups.get(index);
            return value(figure, g.records(), bytes ? g.bytesPerSecond() : g.recordsPerSecond());
        }
        return OptionalDouble.empty();
    }

    private static OptionalDouble value(String figure, long records, @Nullable Double perSecond) {
        return figure.endsWith(".records")
                ? OptionalDouble.of(records)
                : figure.endsWith(".throughput") && perSecond != null
                        ? OptionalDouble.of(perSecond)
                        : OptionalDouble.empty();
    }
}
