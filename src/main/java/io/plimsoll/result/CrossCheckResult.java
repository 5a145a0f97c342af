package io.plimsoll.result;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.CrossCheck;
import io.plimsoll.scenario.CrossCheck.Term;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Result of a check between trials.
 *
 * @param check the check as written
 * @param left value on the left; null where a trial has no such figure
 * @param right value on the right; null where a trial has no such figure
 * @param unit unit of both values, see {@link Units#figure}
 * @param holds whether the check holds; null if undecided
 * @param why reason why the check is undecided; null otherwise
 */
public record CrossCheckResult(
        String check,
        @Nullable Double left,
        @Nullable Double right,
        String unit,
        @Nullable Boolean holds,
        @Nullable Sentence why) {

    /** Evaluates a check between trials. Invalid or missing trials leave the check undecided. */
    static CrossCheckResult of(String check, List<TrialResult> trials) {
        return new Evaluation(CheckParser.comparison(check), trials).result(false);
    }

    /**
     * Evaluates a check of a published conclusion. In addition to {@link #of}, rates and times must come from trials
     * that were long and steady enough, and at least one of two figures must not be 0.
     */
    static CrossCheckResult ofConclusion(String check, List<TrialResult> trials) {
        return new Evaluation(CheckParser.comparison(check), trials).result(true);
    }

    private record Evaluation(CrossCheck asked, List<TrialResult> trials) {
        private CrossCheckResult result(boolean conclusion) {
            OptionalDouble left = asked.leftOf(this::figure);
            OptionalDouble right = asked.rightOf(this::figure);
            Sentence why = missing();
            if (why == null && (left.isEmpty() || right.isEmpty())) {
                why = Sentence.of("result.between.zero");
            }
            if (why == null && conclusion) {
                why = inconclusive(left.getAsDouble(), right.getAsDouble());
            }
            return new CrossCheckResult(
                    asked.text(),
                    left.isPresent() ? left.getAsDouble() : null,
                    right.isPresent() ? right.getAsDouble() : null,
                    asked.ofRatios() ? "ratio" : Units.of(asked.dimension()),
                    why == null ? asked.holds(left.getAsDouble(), right.getAsDouble()) : null,
                    why);
        }

        private Optional<TrialResult> trial(Term term) {
            return trials.stream().filter(t -> t.name().equals(term.trial())).findFirst();
        }

        private OptionalDouble figure(Term term, Dimension dimension) {
            return trial(term)
                    .map(trial -> FigureCatalogue.value(trial.of(term.label()), term.figure(), dimension))
                    .orElse(OptionalDouble.empty());
        }

        /** The reason why a figure of the check is unknown; null if all figures are known. */
        private @Nullable Sentence missing() {
            for (Term term : asked.terms()) {
                Optional<TrialResult> trial = trial(term);
                Sentence unusable =
                        trial.isEmpty() ? Sentence.of("result.between.notRun", term.trial()) : unusable(trial.get());
                if (unusable != null) {
                    return unusable;
                }
                if (figure(term, asked.dimension()).isEmpty()) {
                    return Sentence.of("result.between.noFigure", term.trial(), name(term));
                }
            }
            return null;
        }

        private @Nullable Sentence inconclusive(double left, double right) {
            boolean figure = asked.right().over() != null;
            if (figure && left == 0 && right == 0) {
                return Sentence.of("result.between.bothZero");
            }
            boolean counted = asked.dimension() == Dimension.COUNT;
            // An event that is absent in a short trial can occur in a longer one.
            boolean missing = !asked.holds(left, right) && (left == 0 || (figure && right == 0));
            return counted && !missing
                    ? null
                    : asked.terms().stream()
                            .flatMap(term -> trial(term).stream())
                            .map(counted ? CrossCheckResult::tooShort : CrossCheckResult::uneven)
                            .filter(Objects::nonNull)
                            .findFirst()
                            .orElse(null);
        }
    }

    private static @Nullable Sentence unusable(TrialResult trial) {
        if (!trial.course().complete()) {
            return Sentence.of("result.between.notRun", trial.name());
        }
        return Boolean.FALSE.equals(trial.course().valid())
                ? Sentence.of("result.between.invalid", trial.name())
                : null;
    }

    private static @Nullable Sentence uneven(TrialResult trial) {
        Sentence tooShort = tooShort(trial);
        return tooShort == null && Boolean.FALSE.equals(trial.course().steady())
                ? Sentence.of("result.between.unsteady", trial.name())
                : tooShort;
    }

    private static @Nullable Sentence tooShort(TrialResult trial) {
        double seconds = trial.course().measuredSeconds();
        return seconds < Warnings.SHORT_SECONDS
                ? Sentence.of("result.between.tooShort", trial.name(), Units.duration(seconds))
                : null;
    }

    /** The reason why rates and times of a trial are not comparable; null if they are. */
    static @Nullable Sentence doubt(TrialResult trial) {
        Sentence unusable = unusable(trial);
        return unusable == null ? uneven(trial) : unusable;
    }

    /** The measured and expected values and, if undecided, the reason, without the syntax of checks. */
    public Sentence evidence() {
        if (check == null) {
            return Sentence.NONE;
        }
        CrossCheck asked;
        try {
            asked = CheckParser.comparison(check);
        } catch (InvalidValueException e) {
            // The result was written by another version, with a check that this version does not know.
            return Sentence.verbatim(check);
        }
        List<Sentence> names =
                asked.terms().stream().map(CrossCheckResult::name).distinct().toList();
        boolean named = names.size() == 1;
        Sentence expected = asked.within() == null
                ? Sentence.of("result.between.expected."
                        + Objects.requireNonNull(asked.op()).name().toLowerCase(Locale.ROOT))
                : Sentence.of("result.between.expected.within", Units.decimals(asked.within() * 100, 0));
        Sentence compared = Sentence.of(
                "result.between.compared",
                named ? Sentence.of("result.between.named", names.get(0)) : Sentence.NONE,
                side(asked.left(), left, named),
                expected,
                side(asked.right(), right, named));
        return holds == null ? Sentence.of("result.between.undecided", compared, why) : compared;
    }

    private Object side(CrossCheck.Side side, @Nullable Double value, boolean named) {
        if (side.over() == null) {
            return figure(value == null ? side.number() : value);
        }
        Object shown = value == null ? "?" : figure(value);
        return side.under() != null
                ? Sentence.of("result.between.ratio", shown, said(side.over(), named), said(side.under(), named))
                : Sentence.of("result.between.value", shown, said(side.over(), named));
    }

    private static Object said(Term term, boolean named) {
        return named ? term.trial() : Sentence.of("result.between.of", name(term), term.trial());
    }

    private static Sentence name(Term term) {
        Sentence figure = Sentence.term("result.between.figure.", term.figure());
        return term.label() == null ? figure : Sentence.of("result.between.labeled", figure, term.label());
    }

    /** The values on both sides, or why the check is undecided. */
    public Sentence said() {
        return holds == null || left == null || right == null
                ? Objects.requireNonNullElse(why, Sentence.NONE)
                : Sentence.of("result.between.values", figure(left), figure(right));
    }

    /** A value in the notation of the check: if compared with a percentage, a ratio is shown as a percentage. */
    private String figure(double value) {
        return unit.equals("ratio") && check.endsWith("%") ? Units.exactPercent(value) : Units.figure(value, unit);
    }
}
