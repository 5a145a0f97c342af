package io.plimsoll.diagnose;

import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The finding of a rule in a trial: place, strength, sentence and evidence. */
final class Sign {
    final Sentence where;
    final double strength;
    final List<Sentence> evidence = new ArrayList<>();
    Sentence sentence;
    /** Share of an excess latency that it explains, 0 to 1; 0 without a failed latency check. */
    double explained;

    private Sign(Sentence where, double strength) {
        this.where = where;
        this.strength = strength;
    }

    /**
     * @param where null if not applicable
     * @param strength 0 to 1: utilization of the resource × share of the time it explains
     */
    static Sign at(Sentence where, double strength) {
        return new Sign(where, strength);
    }

    static Sign of(double strength) {
        return new Sign(null, strength);
    }

    Sign says(String key, Object... arguments) {
        sentence = Sentence.of(key, arguments);
        return this;
    }

    Sign explains(double share) {
        explained = share;
        return this;
    }

    /** Adds a figure, unless an argument is null because no source provides it. */
    Sign with(String key, Object... arguments) {
        Sentence.addIf(Arrays.stream(arguments).allMatch(Objects::nonNull), evidence, key, arguments);
        return this;
    }

    Sign with(Sentence figures) {
        evidence.add(figures);
        return this;
    }
}
