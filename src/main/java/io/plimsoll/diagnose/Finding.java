package io.plimsoll.diagnose;

import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The finding of a rule in a trial: place, strength, text and evidence. */
final class Finding {
    final @Nullable Sentence where;
    final double strength;
    final List<Sentence> evidence = new ArrayList<>();
    Sentence sentence = Sentence.NONE;
    /** Explained share, 0 to 1, of an excess latency (0 without a failed latency check) or of a load that ended early. */
    double explained;

    private Finding(@Nullable Sentence where, double strength) {
        this.where = where;
        this.strength = strength;
    }

    /**
     * @param strength 0 to 1: utilization of the resource × share of the time it explains
     */
    static Finding at(@Nullable Sentence where, double strength) {
        return new Finding(where, strength);
    }

    static Finding of(double strength) {
        return new Finding(null, strength);
    }

    Finding says(String key, @Nullable Object... arguments) {
        sentence = Sentence.of(key, arguments);
        return this;
    }

    Finding explains(double share) {
        explained = share;
        return this;
    }

    /** Sets the explained share of an excess latency, multiplied by the strength. */
    Finding explainsPart(double share) {
        return explains(strength * share);
    }

    /** Adds a figure, unless an argument is null because no source provides it. */
    Finding with(String key, @Nullable Object... arguments) {
        Sentence.addIf(Arrays.stream(arguments).allMatch(Objects::nonNull), evidence, key, arguments);
        return this;
    }

    Finding with(Sentence figures) {
        evidence.add(figures);
        return this;
    }

    /** Adds the figure of each sentence key as evidence; figures for which the function returns null are omitted. */
    Finding with(UnaryOperator<@Nullable String> figures, String... keys) {
        for (String key : keys) {
            with(key, figures.apply(key));
        }
        return this;
    }
}
