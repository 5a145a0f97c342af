package io.plimsoll.report.html;

import io.plimsoll.measure.Latencies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How many response times of which length there were when: eight rows a decade, and as many columns as an eye can tell
 * apart. Not thread-safe.
 */
public final class HeatMap {
    static final int MOST_COLUMNS = 128;
    static final int ROWS_PER_DECADE = 8;
    private static final int ROWS = 9 * ROWS_PER_DECADE;

    private final List<long[]> columns = new ArrayList<>();
    private int secondsPerColumn = 1;

    void add(int second, Latencies latencies) {
        if (latencies.isEmpty()) {
            return;
        }
        while (second / secondsPerColumn >= MOST_COLUMNS) {
            coarsen();
        }
        int column = second / secondsPerColumn;
        while (columns.size() <= column) {
            columns.add(new long[ROWS]);
        }
        long[] counts = columns.get(column);
        for (HistogramIterationValue value : latencies.toHistogram().recordedValues()) {
            counts[row(value.getValueIteratedTo())] += value.getCountAtValueIteratedTo();
        }
    }

    static int row(long micros) {
        int row = (int) Math.floor(Math.log10(Math.max(1, micros)) * ROWS_PER_DECADE);
        return Math.min(ROWS - 1, row);
    }

    void coarsen() {
        secondsPerColumn *= 2;
        List<long[]> merged = new ArrayList<>();
        for (int i = 0; i < columns.size(); i += 2) {
            long[] counts = columns.get(i);
            if (i + 1 < columns.size()) {
                long[] next = columns.get(i + 1);
                Arrays.setAll(counts, row -> counts[row] + next[row]);
            }
            merged.add(counts);
        }
        columns.clear();
        columns.addAll(merged);
    }

    /** The microseconds at which a row begins. */
    public static double from(int row) {
        return Math.pow(10, (double) row / ROWS_PER_DECADE);
    }

    public int secondsPerColumn() {
        return secondsPerColumn;
    }

    /** Column, row, and the share of the column's records in ten-thousandths, at least 1; of cells with records. */
    public List<int[]> cells() {
        List<int[]> cells = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++) {
            long[] counts = columns.get(column);
            long all = Arrays.stream(counts).sum();
            for (int row = 0; row < ROWS; row++) {
                if (counts[row] > 0) {
                    int share = (int) Math.max(1, Math.round(10_000.0 * counts[row] / all));
                    cells.add(new int[] {column, row, share});
                }
            }
        }
        return cells;
    }
}
