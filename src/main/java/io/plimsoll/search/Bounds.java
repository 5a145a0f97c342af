package io.plimsoll.search;

/**
 * The bounds of the highest load that meets a goal.
 *
 * @param lower highest load that passed below all failed loads; NaN without one
 * @param upper the lowest load that failed; NaN if none did
 * @param classified both bounds (or the one there is, at the end of the range) have as many full trials as it takes;
 *     false if the search ended before
 * @param irregular a higher load passed where a lower one failed
 * @param generatorLimited whether the load generator failed at {@code upper}, or its calibrated maximum was reached
 * @param trials that were made at the two bounds
 */
public record Bounds(
        double lower, double upper, boolean classified, boolean irregular, boolean generatorLimited, int trials) {

    public boolean hasLower() {
        return !Double.isNaN(lower);
    }

    public boolean hasUpper() {
        return !Double.isNaN(upper);
    }
}
