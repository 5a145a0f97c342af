package io.plimsoll.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Published figures that a scenario repeats, as tables laid out like the original's: each row is one trial.
 *
 * @param source where they were published
 */
public record Reference(String source, List<Table> tables) {
    public Reference {
        tables = List.copyOf(tables);
    }

    public record Table(String title, List<Column> columns, List<Row> rows) {
        public Table {
            columns = List.copyOf(columns);
            rows = List.copyOf(rows);
        }
    }

    /**
     * @param figure what is measured for this column, see {@link Figures}; empty if it is only quoted
     * @param unit of the figure; empty for plain numbers
     */
    public record Column(String name, String figure, String unit) {
        public boolean quotedOnly() {
            return figure.isEmpty();
        }
    }

    /**
     * @param trial name of the trial that repeats it
     * @param values as published, one a column; null where nothing was published
     */
    public record Row(String trial, List<String> values) {
        public Row {
            values = Collections.unmodifiableList(new ArrayList<>(values));
        }
    }
}
