package io.plimsoll.diagnose;

import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleBiFunction;

/**
 * A possible cause as one declaration: what it reads, how it scores, what it says, which changes to the scenario would
 * prove it, and what the documentation says of it. Its words are in {@code diagnose.cause.}, {@code diagnose.missing.} and
 * {@code diagnose.says.}, by its name. Immutable.
 *
 * @param <T> what it reads
 */
final class Rule<T> {
    private static final double LEAST = 0.05;

    private final Draft<T> draft;
    private final BiFunction<TrialEvidence, T, List<Sign>> judge;

    private Rule(Draft<T> draft, BiFunction<TrialEvidence, T, List<Sign>> judge) {
        this.draft = draft;
        this.judge = judge;
    }

    /**
     * What makes a rule weigh less.
     *
     * @param when in words, for the documentation
     * @param by share of the score that goes at most
     * @param amount 0 to 1
     */
    record Lowering<T>(String when, double by, ToDoubleBiFunction<TrialEvidence, T> amount) {}

    /**
     * Begins a rule.
     *
     * @param name of its words
     * @param reader of the figures that it cannot do without; null where they are not known, which is then told
     */
    static <T> Draft<T> named(String name, Function<TrialEvidence, T> reader) {
        return new Draft<>(name, reader);
    }

    /** A rule that is being declared. */
    static final class Draft<T> {
        private final String name;
        private final Function<TrialEvidence, T> reader;
        private final List<Lowering<T>> lowered = new ArrayList<>();
        private String cause;
        private Predicate<TrialEvidence> applies = e -> true;
        private boolean tellsMissing = true;
        private String figures;
        private String speaks;
        private double most = 1;
        private Double leastHeldBack;
        private List<Perturbation> proofs = List.of();

        private Draft(String name, Function<TrialEvidence, T> reader) {
            this.name = name;
            this.cause = name;
            this.reader = reader;
        }

        /** The cause that it speaks for, if that has another name. */
        Draft<T> of(String cause) {
            this.cause = cause;
            return this;
        }

        /** Where it makes sense to ask at all; elsewhere nothing is said to be missing. */
        Draft<T> where(Predicate<TrialEvidence> applies) {
            this.applies = applies;
            return this;
        }

        /** Missing figures are no news: another rule tells, or they are missing wherever it does not apply. */
        Draft<T> silently() {
            this.tellsMissing = false;
            return this;
        }

        /**
         * @param figures that it reads, in words for the documentation
         * @param speaks what of them speaks for it, likewise
         */
        Draft<T> documented(String figures, String speaks) {
            this.figures = figures;
            this.speaks = speaks;
            return this;
        }

        /** The score if everything speaks for it: its weight against other rules. */
        Draft<T> most(double most) {
            this.most = most;
            return this;
        }

        /** It counts as far as producing was held back. */
        Draft<T> heldBack() {
            return heldBackAtLeast(0);
        }

        /** It counts as far as producing was held back, and so much in any case. */
        Draft<T> heldBackAtLeast(double least) {
            this.leastHeldBack = least;
            return this;
        }

        Draft<T> lowered(double by, Pressure pressure) {
            return lowered(by, pressure.words(), (e, read) -> pressure.in(e));
        }

        Draft<T> lowered(double by, String when, ToDoubleBiFunction<TrialEvidence, T> amount) {
            lowered.add(new Lowering<>(when, by, amount));
            return this;
        }

        /** Changes of the scenario that lift it, or at least ease it; the most telling first. */
        Draft<T> provedBy(Perturbation... proofs) {
            this.proofs = List.of(proofs);
            return this;
        }

        Rule<T> judged(BiFunction<TrialEvidence, T, Sign> judge) {
            return new Rule<>(this, (e, read) -> List.of(judge.apply(e, read)));
        }

        Rule<T> judgedEach(BiFunction<TrialEvidence, T, List<Sign>> judge) {
            return new Rule<>(this, judge);
        }
    }

    String name() {
        return draft.name;
    }

    /** What it names, in a few words that do not change. */
    Sentence cause() {
        return Sentence.of("diagnose.cause." + draft.cause);
    }

    /** Whether it says what is missing where it cannot be asked. */
    boolean tellsMissing() {
        return draft.tellsMissing;
    }

    String figures() {
        return draft.figures;
    }

    String speaks() {
        return draft.speaks;
    }

    double most() {
        return draft.most;
    }

    /** How far producing must have been held back for it to count; null if it counts regardless. */
    Double leastHeldBack() {
        return draft.leastHeldBack;
    }

    List<Lowering<T>> lowered() {
        return draft.lowered;
    }

    List<Perturbation> proofs() {
        return draft.proofs;
    }

    /**
     * Adds what speaks for its cause, or that its figures are missing.
     *
     * @param suspects those found so far, in the order of rules
     * @param notAvailable what was missing so far
     */
    void ask(TrialEvidence evidence, List<Suspect> suspects, List<Sentence> notAvailable) {
        if (!draft.applies.test(evidence)) {
            return;
        }
        T read = draft.reader.apply(evidence);
        if (read != null) {
            judge.apply(evidence, read).forEach(sign -> add(suspects, sign, score(evidence, read, sign.strength())));
        } else if (draft.tellsMissing) {
            notAvailable.add(Sentence.of(
                    "diagnose.notAvailable",
                    Sentence.of("diagnose.cause." + draft.name),
                    Sentence.of("diagnose.missing." + draft.name)));
        }
    }

    private double score(TrialEvidence evidence, T read, double strength) {
        double score = draft.most * strength;
        if (draft.leastHeldBack != null) {
            score *= Math.max(draft.leastHeldBack, evidence.heldBack());
        }
        for (Lowering<T> l : draft.lowered) {
            score *= 1 - l.by * l.amount.applyAsDouble(evidence, read);
        }
        return Math.min(1, score);
    }

    private void add(List<Suspect> suspects, Sign sign, double score) {
        if (score >= LEAST) {
            suspects.add(new Suspect(
                    cause(), sign.where(), Math.round(score * 100) / 100.0, sign.sentence(), sign.evidence()));
        }
    }
}
