package io.plimsoll.report.html;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Figures over the seconds of a trial, all on one time axis. Where there are more seconds than a screen has room for, of
 * each stretch the least and the greatest value are kept in the order in which they came, so that no peak is lost. Memory
 * is bounded, however long the trial. Not thread-safe.
 */
final class Points {
    /** At two points each, about what a wide screen can show. */
    static final int MOST_STRETCHES = 512;

    private static final int DIGITS = 4;

    private final Map<String, Column> columns = new LinkedHashMap<>();
    private int secondsPerStretch = 1;
    private int stretches;
    /** What came since it was last asked for, by second; null if nobody asks. */
    private Map<Integer, Map<String, Number>> fresh;

    /**
     * @param second 0 for the first of the trial
     * @param value ignored if it is not a number
     */
    void add(int second, String column, double value) {
        if (Double.isFinite(value)) {
            column(second, column, false).extreme(second / secondsPerStretch, value);
            remember(second, column, value);
        }
    }

    /** Adds to a column whose stretches have the mean of their seconds, which is sum ÷ divisor. */
    void add(int second, String column, double sum, double divisor) {
        if (Double.isFinite(sum) && divisor > 0) {
            column(second, column, true).sum(second / secondsPerStretch, sum, divisor);
            remember(second, column, sum / divisor);
        }
    }

    private void remember(int second, String column, double value) {
        if (fresh != null) {
            fresh.computeIfAbsent(second, s -> new LinkedHashMap<>()).put(column, compact(value));
        }
    }

    /** What was added since this was last called, by second; everything later is kept for the next call. */
    Map<Integer, Map<String, Number>> takeFresh() {
        Map<Integer, Map<String, Number>> taken = fresh == null ? Map.of() : fresh;
        fresh = new LinkedHashMap<>();
        return taken;
    }

    private Column column(int second, String name, boolean mean) {
        while (second / secondsPerStretch >= MOST_STRETCHES) {
            halve();
        }
        stretches = Math.max(stretches, second / secondsPerStretch + 1);
        return columns.computeIfAbsent(name, n -> new Column(mean));
    }

    private void halve() {
        columns.values().forEach(c -> c.halve(stretches));
        secondsPerStretch *= 2;
        stretches = (stretches + 1) / 2;
    }

    /** How many numbers this shows. */
    int size() {
        return stretches * columns.size() * (secondsPerStretch == 1 ? 1 : 2);
    }

    /** Takes half as much room, unless it is small already. */
    boolean coarsen() {
        if (stretches <= 32) {
            return false;
        }
        halve();
        return true;
    }

    int secondsPerStretch() {
        return secondsPerStretch;
    }

    /** When, in seconds of the trial: the end of each second, or two points a stretch. */
    List<Number> times() {
        List<Number> times = new ArrayList<>();
        for (int i = 0; i < stretches; i++) {
            double from = (double) i * secondsPerStretch;
            if (secondsPerStretch > 1) {
                times.add(compact(from + secondsPerStretch / 2.0));
            }
            times.add(compact(from + secondsPerStretch));
        }
        return times;
    }

    /** The values of each column, as many as there are times; null where nothing is known. */
    Map<String, List<Number>> values() {
        Map<String, List<Number>> values = new LinkedHashMap<>();
        columns.forEach((name, column) -> values.put(name, column.values(stretches, secondsPerStretch > 1)));
        return values;
    }

    /** Rounded to four significant digits, as an eye needs, whole numbers without a point; null if it is no number. */
    static Number compact(double value) {
        if (!Double.isFinite(value)) {
            return null;
        }
        if (value == 0) {
            return 0L;
        }
        double step = Math.pow(10, Math.floor(Math.log10(Math.abs(value))) - DIGITS + 1);
        double rounded = step >= 1 ? Math.round(value / step) * step : Math.round(value / step) / (1 / step);
        boolean whole = Math.abs(rounded) < 1e15 && rounded == Math.rint(rounded);
        // Not a conditional expression: that would make a double of the long.
        if (whole) {
            return (long) rounded;
        }
        return rounded;
    }

    private static final class Column {
        private final boolean mean;
        /** Each stretch has the first of its two extremes here, or its sum. */
        private double[] first = nothing(16);
        /** The second, or the divisor. */
        private double[] second = nothing(16);

        Column(boolean mean) {
            this.mean = mean;
        }

        private static double[] nothing(int length) {
            double[] values = new double[length];
            Arrays.fill(values, Double.NaN);
            return values;
        }

        private void room(int stretch) {
            int length = first.length;
            if (stretch >= length) {
                int wanted = Math.max(stretch + 1, 2 * length);
                first = Arrays.copyOf(first, wanted);
                second = Arrays.copyOf(second, wanted);
                Arrays.fill(first, length, wanted, Double.NaN);
                Arrays.fill(second, length, wanted, Double.NaN);
            }
        }

        void sum(int stretch, double sum, double divisor) {
            room(stretch);
            first[stretch] = plus(first[stretch], sum);
            second[stretch] = plus(second[stretch], divisor);
        }

        private static double plus(double a, double b) {
            return Double.isNaN(a) ? b : Double.isNaN(b) ? a : a + b;
        }

        /** What comes later is the second of the two if it is an extreme. */
        void extreme(int stretch, double value) {
            room(stretch);
            double a = first[stretch];
            double b = second[stretch];
            if (Double.isNaN(a)) {
                first[stretch] = value;
                second[stretch] = value;
            } else if (value > Math.max(a, b)) {
                first[stretch] = Math.min(a, b);
                second[stretch] = value;
            } else if (value < Math.min(a, b)) {
                first[stretch] = Math.max(a, b);
                second[stretch] = value;
            }
        }

        void halve(int stretches) {
            room(stretches);
            for (int i = 0; 2 * i < stretches; i++) {
                double a = first[2 * i];
                double b = second[2 * i];
                double c = first[2 * i + 1];
                double d = second[2 * i + 1];
                first[i] = Double.NaN;
                second[i] = Double.NaN;
                if (mean) {
                    first[i] = plus(a, c);
                    second[i] = plus(b, d);
                } else {
                    for (double value : new double[] {a, b, c, d}) {
                        if (!Double.isNaN(value)) {
                            extreme(i, value);
                        }
                    }
                }
            }
            Arrays.fill(first, (stretches + 1) / 2, first.length, Double.NaN);
            Arrays.fill(second, (stretches + 1) / 2, second.length, Double.NaN);
        }

        List<Number> values(int stretches, boolean two) {
            room(stretches);
            List<Number> values = new ArrayList<>();
            for (int i = 0; i < stretches; i++) {
                double a = mean ? first[i] / second[i] : first[i];
                double b = mean ? a : second[i];
                if (two) {
                    values.add(compact(a));
                }
                values.add(compact(b));
            }
            return values;
        }
    }
}
