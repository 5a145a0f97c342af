package io.plimsoll.diagnose;

import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A possible cause as one declaration: the figures it reads, its score, its finding, and the changes that would prove
 * it. Its texts have the keys {@code diagnose.cause.}, {@code diagnose.missing.}, {@code diagnose.says.}, {@code
 * diagnose.reads.} and {@code diagnose.speaks.} with its name. Immutable after its declaration.
 * @param <T> type of the figures that the rule reads
 */
final class Rule<T> {
    private static final double LEAST = 0.05;
    /** Minimum share of a latency at which a stage can explain it, and the share at which it certainly does. */
    private static final double SOME = 0.3;

    private static final double MOSTLY = 0.8;

    final String name;
    final List<Lowering<T>> lowered = new ArrayList<>();
    boolean reportsMissing = true;
    double most = 1;
    /**
     * Minimum of the degree, 0 to 1, to which the load is held back, as used in the score; null if the score ignores
     * this degree.
     */
    @Nullable
    Double leastHeldBack;

    List<Perturbation> proofs = List.of();
    List<Remedy> remedies = List.of();
    private final Function<TrialEvidence, @Nullable List<T>> reader;
    private Predicate<TrialEvidence> applies = e -> true;
    private String cause;
    private BiFunction<TrialEvidence, T, @Nullable Finding> judge = (e, read) -> {
        throw new IllegalStateException("a rule without a judgment");
    };

    private Rule(String name, Function<TrialEvidence, List<T>> reader) {
        this.name = name;
        this.cause = name;
        this.reader = reader;
    }

    /**
     * A condition that lowers the score of a rule.
     *
     * @param when description for documents
     * @param by maximum share of the score to subtract
     * @param amount 0 to 1
     */
    record Lowering<T>(Sentence when, double by, ToDoubleBiFunction<TrialEvidence, T> amount) {}

    /** @param reader reads the required figures; null if they are unknown, which is then reported */
    static <T> Rule<T> named(String name, Function<TrialEvidence, T> reader) {
        return new Rule<>(name, e -> {
            T read = reader.apply(e);
            return read == null ? null : List.of(read);
        });
    }

    /** Like {@link #named}, but does not report missing figures: another rule reports them, or they are usually missing. */
    static <T> Rule<T> quiet(String name, Function<TrialEvidence, T> reader) {
        return named(name, reader).silently();
    }

    /** Like {@link #quiet}, for trials with producers. */
    static <T> Rule<T> producing(String name, Function<TrialEvidence, T> reader) {
        return quiet(name, reader).where(TrialEvidence::produces);
    }

    /** A rule for several subjects, such as consumer groups, each judged separately. */
    static <T> Rule<T> each(String name, Function<TrialEvidence, List<T>> reader) {
        return new Rule<>(name, reader);
    }

    /** A rule for this load's groups. Other rules report missing figures. */
    static Rule<ReadEvidence> reading(String name, Function<TrialEvidence, List<ReadEvidence>> reader) {
        return each(name, reader).silently();
    }

    /** Sets the cause that the rule supports, if it differs from the rule's name. */
    Rule<T> of(String other) {
        cause = other;
        return this;
    }

    /** Restricts the rule to applicable trials. For other trials, missing figures are not reported. */
    Rule<T> where(Predicate<TrialEvidence> condition) {
        applies = condition;
        return this;
    }

    /** Disables the report of missing figures. */
    Rule<T> silently() {
        reportsMissing = false;
        return this;
    }

    /** Sets the maximum score, which is the rule's weight against other rules. */
    Rule<T> most(double weight) {
        most = weight;
        return this;
    }

    /** Sets the maximum score, scaled by the degree to which the load is held back. */
    Rule<T> heldBack(double weight) {
        return heldBack(weight, 0);
    }

    /** @param least the score uses this degree if the load is held back to a lesser degree */
    Rule<T> heldBack(double weight, double least) {
        leastHeldBack = least;
        return most(weight);
    }

    Rule<T> lowered(double by, Confounder... confounders) {
        for (Confounder confounder : confounders) {
            lowered(by, confounder.name(), (e, read) -> confounder.in(e));
        }
        return this;
    }

    /** @param when suffix of the key in {@code diagnose.lowered.} */
    Rule<T> lowered(double by, String when, ToDoubleBiFunction<TrialEvidence, T> amount) {
        lowered.add(new Lowering<>(Sentence.of("diagnose.lowered." + when), by, amount));
        return this;
    }

    /** Sets the changes that remove or reduce the cause, most conclusive first. */
    Rule<T> provedBy(Perturbation... changes) {
        proofs = List.of(changes);
        return this;
    }

    /** Sets the advice for the user's own cluster, most effective first. */
    Rule<T> easedBy(Remedy... changes) {
        remedies = List.of(changes);
        return this;
    }

    /** @param one evaluates the figures of one subject; returns null if they are not evidence */
    Rule<T> judged(BiFunction<TrialEvidence, T, @Nullable Finding> one) {
        judge = one;
        return this;
    }

    Sentence reads() {
        return Sentence.of("diagnose.reads." + name);
    }

    Sentence speaks() {
        return Sentence.of("diagnose.speaks." + name);
    }

    /** The name of the cause, the same in all trials. */
    Sentence cause() {
        return Sentence.of("diagnose.cause." + cause);
    }

    /** Adds the finding of the rule, or its missing figures, to the results. */
    void ask(TrialEvidence evidence, List<Suspect> suspects, List<Sentence> notAvailable) {
        if (!applies.test(evidence)) {
            return;
        }
        List<T> all = reader.apply(evidence);
        if (all != null) {
            for (T read : all) {
                Finding finding = judge.apply(evidence, read);
                double score = finding == null ? 0 : score(evidence, read, finding);
                if (score >= LEAST) {
                    double rounded = Math.round(score * 100) / 100.0;
                    suspects.add(new Suspect(cause(), finding.where, rounded, finding.sentence, finding.evidence));
                }
            }
        } else if (reportsMissing) {
            Sentence missing = Sentence.of("diagnose.missing." + name);
            notAvailable.add(Sentence.of("diagnose.notAvailable", Sentence.of("diagnose.cause." + name), missing));
        }
    }

    /** The score as a limit of throughput or as a share of an excess latency, whichever is higher. */
    private double score(TrialEvidence evidence, T read, Finding finding) {
        double held = leastHeldBack == null ? 1 : Math.max(leastHeldBack, evidence.heldBack());
        double score = most * Math.max(finding.strength * held, TrialEvidence.ramp(finding.explained, SOME, MOSTLY));
        for (Lowering<T> l : lowered) {
            score *= 1 - l.by * l.amount.applyAsDouble(evidence, read);
        }
        return Math.min(1, score);
    }
}
