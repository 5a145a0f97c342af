package io.plimsoll.result;

import java.util.List;

/**
 * How far a search for a ceiling has come, for those who watch it.
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
    public SearchView {
        tried = List.copyOf(tried);
    }

    /** @param passed as far as its trials say */
    public record Tried(double load, boolean passed) {}

    /** The highest load that passed below all that failed; NaN if there is none. */
    public double lower() {
        double upper = upper();
        return tried.stream()
                .filter(t -> t.passed() && !(t.load() > upper))
                .mapToDouble(Tried::load)
                .max()
                .orElse(Double.NaN);
    }

    /** The lowest load that failed; NaN if there is none. */
    public double upper() {
        return tried.stream()
                .filter(t -> !t.passed())
                .mapToDouble(Tried::load)
                .min()
                .orElse(Double.NaN);
    }
}
