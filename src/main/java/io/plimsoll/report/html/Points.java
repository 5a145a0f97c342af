package io.plimsoll.report.html;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Figures over the seconds of a trial. Long trials are divided into stretches that keep their extremes in chronological
 * order. Memory is bounded. Not thread-safe.
 */
public final class Points {
    /** Maximum number of stretches; with two points each, about the width of a wide screen. */
    static final int MOST_STRETCHES = 512;

    private static final int DIGITS = 4;

    private final Map<String, Column> columns = new LinkedHashMap<>();
    private int secondsPerStretch = 1;
    private int stretches;
    /** Values since the last request, by second; null before the first request. */
    private @Nullable Map<Integer, Map<String, Number>> fresh;

    /** @param second second of the trial, from 0 */
    void add(int second, String column, double value) {
        if (Double.isFinite(value)) {
            column(second, column, false).add(second / secondsPerStretch, value, value);
            remember(second, column, value);
        }
    }

    /** Adds to a column of means: the value of a stretch is sum ÷ divisor. */
    void add(int second, String column, double sum, double divisor) {
        if (Double.isFinite(sum) && divisor > 0) {
            column(second, column, true).add(second / secondsPerStretch, sum, divisor);
            remember(second, column, sum / divisor);
        }
    }

    private void remember(int second, String column, double value) {
        if (fresh != null) {
            fresh.computeIfAbsent(second, s -> new LinkedHashMap<>()).put(column, compact(value));
        }
    }

    /** Takes the values since the previous call, by second. */
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
        columns.values().forEach(Column::halve);
        secondsPerStretch *= 2;
        stretches = (stretches + 1) / 2;
    }

    int size() {
        return stretches * columns.size() * (secondsPerStretch == 1 ? 1 : 2);
    }

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

    /** Times in seconds of the trial: the end of each second, or two points per stretch. */
    public List<Number> times() {
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

    /** The values of each column, one for each time. */
    public Map<String, List<@Nullable Number>> values() {
        Map<String, List<@Nullable Number>> values = new LinkedHashMap<>();
        columns.forEach((name, column) -> values.put(name, column.values(stretches, secondsPerStretch > 1)));
        return values;
    }

    /** A number rounded to four significant digits; an integer has no decimal point. */
    static Number compact(double value) {
        if (value == 0) {
            return 0L;
        }
        int digits = DIGITS - 1 - (int) Math.floor(Math.log10(Math.abs(value)));
        // Powers of ten from 1 upward are exact. Division by an exact power avoids extra digits.
        double power = Math.pow(10, Math.abs(digits));
        double rounded = digits <= 0 ? Math.round(value / power) * power : Math.round(value * power) / power;
        boolean whole = Math.abs(rounded) < 1e15 && rounded == Math.rint(rounded);
        // A conditional expression would convert the long to a double.
        if (whole) {
            return (long) rounded;
        }
        return rounded;
    }

    private static final class Column {
        private final boolean mean;
        /** The two extremes of each stretch in chronological order, or its sum and divisor. */
        private List<double @Nullable []> pairs = new ArrayList<>();

        Column(boolean mean) {
            this.mean = mean;
        }

        private double @Nullable [] at(int stretch) {
            return stretch < pairs.size() ? pairs.get(stretch) : null;
        }

        void add(int stretch, double first, double second) {
            while (pairs.size() <= stretch) {
                pairs.add(null);
            }
            pairs.set(stretch, both(at(stretch), new double[] {first, second}));
        }

        private double @Nullable [] both(double @Nullable [] a, double @Nullable [] b) {
            if (a == null || b == null) {
                return a == null ? b : a;
            }
            return mean ? new double[] {a[0] + b[0], a[1] + b[1]} : extreme(extreme(a, b[0]), b[1]);
        }

        /** Adds a value to the extremes of a stretch; the later extreme is second in the pair. */
        private static double[] extreme(double[] pair, double value) {
            double least = Math.min(pair[0], pair[1]);
            double most = Math.max(pair[0], pair[1]);
            if (value > most) {
                return new double[] {least, value};
            }
            return value < least ? new double[] {most, value} : pair;
        }

        void halve() {
            List<double @Nullable []> halved = new ArrayList<>();
            for (int i = 0; i < pairs.size(); i += 2) {
                halved.add(both(at(i), at(i + 1)));
            }
            pairs = halved;
        }

        List<@Nullable Number> values(int stretches, boolean two) {
            List<@Nullable Number> values = new ArrayList<>();
            for (int i = 0; i < stretches; i++) {
                double[] pair = at(i);
                Number first = pair == null ? null : compact(mean ? pair[0] / pair[1] : pair[0]);
                if (two) {
                    values.add(first);
                }
                values.add(pair == null || mean ? first : compact(pair[1]));
            }
            return values;
        }
    }
}
