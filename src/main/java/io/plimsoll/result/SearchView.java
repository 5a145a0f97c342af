package io.plimsoll.result;

import java.util.List;

/**
 * Progress of a ceiling search, for display.
 *
 * @param load load per second being tried; infinite for a closed loop
 * @param inBytes whether loads are in bytes of keys and values; otherwise in records
 * @param purpose purpose of the trial, in one word
 * @param trial number of the trial in this search, from 1
 * @param etaSeconds seconds until the search ends; negative if unknown
 * @param tried loads tried so far, in ascending order
 * @param objective the criteria of the user, such as {@code produce.response.p99 < 50ms}; empty if none
 */
public record SearchView(
        double load,
        boolean inBytes,
        String purpose,
        int trial,
        double etaSeconds,
        List<Tried> tried,
        String objective) {

    /** @param passed whether the load passed, according to its trials so far */
    public record Tried(double load, boolean passed) {}

    /** Highest load that passed and does not exceed any failed load; NaN if none. */
    public double lower() {
        double upper = upper();
        return tried.stream()
                .filter(t -> t.passed() && !(t.load() > upper))
                .mapToDouble(Tried::load)
                .max()
                .orElse(Double.NaN);
    }

    /** Lowest load that failed; NaN if none. */
    public double upper() {
        return tried.stream()
                .filter(t -> !t.passed())
                .mapToDouble(Tried::load)
                .min()
                .orElse(Double.NaN);
    }
}
