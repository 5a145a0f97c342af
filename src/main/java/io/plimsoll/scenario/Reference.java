package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Published figures that a scenario repeats, as tables laid out like the original's: each row is one trial. What is said
 * in it is in English and in the words of the original, where the scenario has both.
 *
 * @param source where they were published
 * @param conclusions what the original says of its figures
 */
public record Reference(Sentence source, List<Table> tables, List<Conclusion> conclusions) {
    /** Units in which tables of published figures are printed; MiB is what Kafka's own tools call MB. */
    private static final Map<String, Unit> UNITS = Map.of(
            "", new Unit(Dimension.COUNT, 1),
            "ms", new Unit(Dimension.MICROSECONDS, 1e3),
            "s", new Unit(Dimension.MICROSECONDS, 1e6),
            "min", new Unit(Dimension.MICROSECONDS, 60e6),
            "MB/s", new Unit(Dimension.BYTES_PER_SECOND, 1e6),
            "MiB/s", new Unit(Dimension.BYTES_PER_SECOND, 1 << 20),
            "records/s", new Unit(Dimension.RECORDS_PER_SECOND, 1),
            "%", new Unit(Dimension.RATIO, 0.01));

    public Reference {
        tables = List.copyOf(tables);
        conclusions = conclusions == null ? List.of() : List.copyOf(conclusions);
    }

    /** The rows of these trials; tables that have none of them are left out. */
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
     * @param rows none: one for each trial that has a figure of the columns
     * @param notes what is to be known of values, each behind the mark that they carry
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
     * @param figure what is measured for this column, see {@link Figures}; empty if it is only quoted
     * @param unit of the figure; empty for plain numbers
     */
    public record Column(Sentence name, String figure, String unit) {
        public boolean quotedOnly() {
            return figure.isEmpty();
        }
    }

    /**
     * @param trial name of the trial that repeats it
     * @param values as published, one a column; null where nothing was published
     * @param part the client or group of the trial that the row is about, in the order of the scenario, from 1; 0 for all of them
     */
    public record Row(String trial, List<Sentence> values, int part) {
        public Row {
            values = Collections.unmodifiableList(new ArrayList<>(values));
        }

        public Row(String trial, List<Sentence> values) {
            this(trial, values, 0);
        }
    }

    /**
     * A sentence of the original.
     *
     * @param checks {@link CrossCheck}s as they are written, which all hold where it holds; none where no trial can tell
     */
    public record Conclusion(Sentence text, List<String> checks) {
        public Conclusion {
            checks = List.copyOf(checks);
        }
    }

    /** @param divisor of a figure in its own unit, to get it in this one */
    public record Unit(Dimension dimension, double divisor) {}

    /** The unit of a column; empty for a name that is none. */
    public static Optional<Unit> unit(String name) {
        return Optional.ofNullable(UNITS.get(name));
    }

    static List<Object> unitsFor(Set<Dimension> dimensions) {
        return UNITS.entrySet().stream()
                .filter(e -> dimensions.contains(e.getValue().dimension()))
                .map(Map.Entry::getKey)
                .sorted()
                .map(name -> name.isEmpty() ? (Object) Sentence.of("scenario.noUnitAtAll") : name)
                .toList();
    }
}
