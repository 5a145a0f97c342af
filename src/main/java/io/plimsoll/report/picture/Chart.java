package io.plimsoll.report.picture;

import io.plimsoll.report.picture.Drawing.Anchor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * @param file name without an extension
 * @param unit addition to the title; empty for none
 * @param stacked whether the values of each line are added to the values of the previous lines
 */
record Chart(
        String file, String title, String unit, Axis x, Axis y, List<Line> lines, List<Mark> marks, boolean stacked) {

    enum Style {
        SOLID,
        DASHED,
        DOTTED,
        DOTS,
        BARS
    }

    /** @param y one value for each {@code x}; null for a gap */
    record Line(String name, String color, Style style, List<? extends Number> x, List<? extends @Nullable Number> y) {}

    /**
     * A marked area, with edges in values of the chart's axes; a line if it has no width or no height.
     * @param side side of a line on which its label is placed
     */
    record Mark(
            double left,
            double right,
            double low,
            double high,
            String color,
            double opacity,
            String label,
            Anchor side) {

        static Mark band(double left, double right, String color, double opacity, String label) {
            return new Mark(
                    left,
                    right,
                    Double.NEGATIVE_INFINITY,
                    Double.POSITIVE_INFINITY,
                    color,
                    opacity,
                    label,
                    Anchor.MIDDLE);
        }

        /** A vertical line over the full height, with its label before it (END), after it (START) or above it. */
        static Mark line(double at, String color, String label, Anchor side) {
            return new Mark(at, at, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, color, 1, label, side);
        }
    }

    /**
     * @param logarithmic whether the axis is logarithmic, for values above 0
     * @param title empty if the title of the chart is sufficient
     */
    record Axis(double from, double to, boolean logarithmic, List<Tick> ticks, String title) {
        private static final int MOST_TICKS = 6;
        private static final int MOST_TIMES = 10;
        private static final List<Integer> TIMES =
                List.of(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400);

        record Tick(double at, String text) {}

        /** Position of a value: 0 at the start of the axis, 1 at its end; can be outside of this range. */
        double place(double value) {
            return logarithmic
                    ? Math.log(Math.max(value, from) / from) / Math.log(to / from)
                    : (value - from) / (to - from);
        }

        Axis called(String other) {
            return new Axis(from, to, logarithmic, ticks, other);
        }

        /** An axis from 0 to a round number at or above all values. */
        static Axis linear(DoubleStream values, boolean whole, DoubleFunction<String> format) {
            double most = values.filter(Double::isFinite).max().orElse(0);
            double most0 = most > 0 ? most : 1;
            double step = Math.pow(10, Math.floor(Math.log10(most0 / MOST_TICKS)));
            double rounded = DoubleStream.of(1, 2, 5, 10)
                    .map(n -> n * step)
                    .filter(s -> most0 / s <= MOST_TICKS && (!whole || s >= 1))
                    .findFirst()
                    .orElse(1);
            int count = (int) Math.max(1, Math.ceil(most0 / rounded - 1e-9));
            return new Axis(0, count * rounded, false, ticks(count, rounded, format), "");
        }

        static Axis powersOfTen(DoubleStream values, DoubleFunction<String> format) {
            var range = values.filter(v -> Double.isFinite(v) && v > 0).summaryStatistics();
            double low = range.getCount() == 0 ? 0 : Math.floor(Math.log10(range.getMin()));
            double high = range.getCount() == 0 ? 1 : Math.max(low + 1, Math.ceil(Math.log10(range.getMax())));
            List<Tick> ticks = new ArrayList<>();
            for (double power = low; power <= high; power++) {
                for (int n : high - low <= 2 ? new int[] {1, 2, 5} : new int[] {1}) {
                    double at = n * Math.pow(10, power);
                    if (power < high || n == 1) {
                        ticks.add(new Tick(at, format.apply(at)));
                    }
                }
            }
            return new Axis(Math.pow(10, low), Math.pow(10, high), true, ticks, "");
        }

        /** An axis of seconds since the start, labeled with minutes and seconds. */
        static Axis time(double end) {
            int step = TIMES.stream()
                    .filter(s -> end / s <= MOST_TIMES)
                    .findFirst()
                    .orElse(86400);
            return new Axis(0, Math.max(1, end), false, ticks((int) (end / step), step, Axis::clock), "");
        }

        /** An axis with a position for each name; with many names, some labels are omitted. */
        static Axis names(List<String> names) {
            int every = Math.max(
                    1, names.stream().mapToInt(n -> n.length() + 2).max().orElse(1) * names.size() / 120);
            List<Tick> ticks = IntStream.range(0, names.size())
                    .filter(i -> i % every == 0)
                    .mapToObj(i -> new Tick(i, names.get(i)))
                    .toList();
            return new Axis(-0.5, names.size() - 0.5, false, ticks, "");
        }

        private static List<Tick> ticks(int count, double step, DoubleFunction<String> format) {
            return IntStream.rangeClosed(0, count)
                    .mapToObj(i -> new Tick(i * step, format.apply(i * step)))
                    .toList();
        }

        static String clock(double seconds) {
            long whole = Math.round(seconds);
            return whole >= 3600
                    ? String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
                    : String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
        }
    }
}
