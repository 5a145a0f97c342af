package io.plimsoll.report.html;

/** Numbers in as few letters as an eye needs. */
final class Compact {
    private static final int DIGITS = 4;

    private Compact() {}

    /** @return rounded to four significant digits, whole numbers without a point; null if it is no number */
    static Number of(double value) {
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
}
