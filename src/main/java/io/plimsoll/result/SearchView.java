package io.plimsoll.result;

import java.util.List;

/**
 * Progress of a ceiling search, for display.
 *
 * @param load being tried per second; infinite: a closed loop
 * @param inBytes whether loads are in bytes of keys and values; otherwise in records
 * @param purpose of the trial, in a word
 * @param trial 1 for the first of this search
 * @param etaSeconds until the search ends; negative if unknown
 * @param tried loads so far, from the lowest on
 * @param objective the criteria of the user, such as {@code produce.response.p99 < 50ms}; empty without any
 */
public record SearchView(
        double load,
        boolean inBytes,
        String purpose,
        int trial,
        double etaSeconds,
        List<Tried> tried,
        String objective) {

    /** @param passed according to its trials so far */
    public record Tried(double load, boolean passed) {}

    /** Highest load that passed below all failed loads; NaN without one. */
    public double lower() {
        double upper = upper();
        return tried.stream()
                .filter(t -> t.passed() && !(t.load() > upper))
                .mapToDouble(Tried::load)
                .max()
                .orElse(Double.NaN);
    }

    /** Lowest load that failed; NaN without one. */
    public double upper() {
        return tried.stream()
                .filter(t -> !t.passed())
                .mapToDouble(Tried::load)
                .min()
                .orElse(Double.NaN);
    }
}
