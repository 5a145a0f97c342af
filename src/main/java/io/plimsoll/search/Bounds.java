package io.plimsoll.search;

/**
 * The bounds of the highest load that meets a goal.
 *
 * @param lower highest load that passed below all failed loads; NaN if none
 * @param upper lowest load that failed; NaN if none failed
 * @param classified whether both bounds (or the only one, at the end of the range) have enough full trials; false if
 *     the search ended before that
 * @param irregular whether a higher load passed although a lower one failed
 * @param generatorLimited whether the load generator failed at {@code upper}, or its calibrated maximum was reached
 * @param trials number of trials at the two bounds
 */
public record Bounds(
        double lower, double upper, boolean classified, boolean irregular, boolean generatorLimited, int trials) {

    /** A copy without an upper bound. */
    public Bounds open() {
        return new Bounds(lower, Double.NaN, classified, irregular, generatorLimited, trials);
    }

    public boolean hasLower() {
        return !Double.isNaN(lower);
    }

    public boolean hasUpper() {
        return !Double.isNaN(upper);
    }
}
