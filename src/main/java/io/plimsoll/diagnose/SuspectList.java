package io.plimsoll.diagnose;

import io.plimsoll.result.Limits.Suspect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the rules have said so far. */
final class SuspectList {
    private static final double LEAST = 0.05;

    private final List<Suspect> suspects = new ArrayList<>();
    private final List<String> notAvailable = new ArrayList<>();

    void add(String limit, String where, double score, String sentence, List<String> evidence) {
        if (score >= LEAST) {
            double rounded = Math.round(Math.min(1, score) * 100) / 100.0;
            suspects.add(new Suspect(limit, where, rounded, sentence, evidence));
        }
    }

    /** A rule could not be asked, because its figures are not there. */
    void missing(String limit, String figures) {
        notAvailable.add(limit + ": " + figures);
    }

    /** The likeliest first; of equal ones, those that were found first. */
    List<Suspect> ranked() {
        List<Suspect> ranked = new ArrayList<>(suspects);
        ranked.sort(Comparator.comparingDouble(Suspect::score).reversed());
        return ranked;
    }

    List<String> notAvailable() {
        return notAvailable;
    }
}
