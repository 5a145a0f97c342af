package io.plimsoll.report.picture;

import io.plimsoll.report.picture.Drawing.Anchor;
import java.util.List;

/**
 * Lines over two axes, with background marks.
 *
 * @param file its name as a file, without an ending
 * @param unit addition to the title; empty for none
 * @param stacked each line is drawn on top of the previous ones
 */
record Chart(
        String file, String title, String unit, Axis x, Axis y, List<Line> lines, List<Mark> marks, boolean stacked) {

    enum Style {
        SOLID,
        DASHED,
        DOTTED,
        /** A dot for each value, with a line through them. */
        DOTS,
        BARS
    }

    /** @param y one for each {@code x}; null if unknown */
    record Line(String name, String color, Style style, List<? extends Number> x, List<? extends Number> y) {}

    /**
     * A part of the chart in values of its axes; a line if it has no width or no height.
     *
     * @param label empty for none
     * @param side of a line at which its label stands
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
        Mark(double left, double right, double low, double high, String color, double opacity, String label) {
            this(left, right, low, high, color, opacity, label, Anchor.MIDDLE);
        }

        /** From top to bottom of the chart. */
        static Mark band(double left, double right, String color, double opacity, String label) {
            return new Mark(left, right, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, color, opacity, label);
        }

        /** A line from top to bottom, with its label before it (END), after it (START) or above it. */
        static Mark line(double at, String color, String label, Anchor side) {
            return new Mark(at, at, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, color, 1, label, side);
        }
    }
}
