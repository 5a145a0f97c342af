package io.plimsoll.result;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.CrossCheck;
import io.plimsoll.scenario.CrossCheck.Term;
import io.plimsoll.scenario.CrossCheckParser;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What came of a check between trials.
 *
 * @param check as written
 * @param left measured there; null where a trial has no such figure
 * @param right what it was held against; likewise
 * @param unit of both, see {@link Units#figure}
 * @param holds null if it cannot be told
 * @param why it cannot be told; null otherwise
 */
public record CrossCheckResult(String check, Double left, Double right, String unit, Boolean holds, Sentence why) {

    /** Trials that are invalid, or not there, tell nothing. */
    static CrossCheckResult of(String check, List<TrialResult> trials) {
        CrossCheck asked = CrossCheckParser.parse(check);
        Map<String, TrialResult> byName =
                trials.stream().collect(Collectors.toMap(TrialResult::name, Function.identity()));
        BiFunction<Term, Dimension, OptionalDouble> figures = (term, dimension) -> byName.containsKey(term.trial())
                ? FigureCatalogue.value(byName.get(term.trial()), term.figure(), dimension)
                : OptionalDouble.empty();
        OptionalDouble left = asked.leftOf(figures);
        OptionalDouble right = asked.rightOf(figures);
        Sentence why = why(asked, byName, figures);
        return new CrossCheckResult(
                asked.text(),
                left.isPresent() ? left.getAsDouble() : null,
                right.isPresent() ? right.getAsDouble() : null,
                asked.ofRatios() ? "ratio" : Units.of(asked.dimension()),
                why == null ? asked.holds(left.getAsDouble(), right.getAsDouble()) : null,
                why);
    }

    private static Sentence why(
            CrossCheck asked, Map<String, TrialResult> trials, BiFunction<Term, Dimension, OptionalDouble> figures) {
        for (Term term : asked.terms()) {
            TrialResult trial = trials.get(term.trial());
            if (trial == null || !trial.course().complete()) {
                return Sentence.of("result.between.notRun", term.trial());
            }
            if (!trial.course().valid()) {
                return Sentence.of("result.between.invalid", term.trial());
            }
            if (figures.apply(term, asked.dimension()).isEmpty()) {
                return Sentence.of("result.between.noFigure", term.trial(), term.figure());
            }
        }
        boolean dividable =
                asked.leftOf(figures).isPresent() && asked.rightOf(figures).isPresent();
        return dividable ? null : Sentence.of("result.between.zero");
    }

    /** What was measured on both sides, for people; why nothing can be told otherwise. */
    public Sentence said() {
        return holds == null ? why : Sentence.of("result.between.values", figure(left), figure(right));
    }

    /** As whoever wrote the check has it: a ratio to a percentage is one. */
    private String figure(double value) {
        return unit.equals("ratio") && check.endsWith("%") ? Units.percent(value) : Units.figure(value, unit);
    }
}
