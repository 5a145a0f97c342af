package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Check.Operator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A criterion between trials, such as {@code trials."b".produce.throughput > trials."a".produce.throughput}, evaluated
 * when the run ends.
 *
 * @param text as written
 * @param op operator; null with {@code within}
 * @param within maximum difference, relative to the right side; null with an operator
 */
public record CrossCheck(
        String text,
        Side left,
        @Nullable Operator op,
        Side right,
        @Nullable Double within,
        Dimension dimension) {

    /**
     * A figure of a trial.
     *
     * @param label label of the clients that the figure covers, {@code name=value}; null for all clients
     */
    public record Term(
            String trial, String figure, @Nullable String label) {}

    /**
     * A side of the comparison: a figure, a ratio of two figures, or a number.
     *
     * @param over the figure, or dividend of a ratio; null for a number
     * @param under divisor of a ratio; otherwise null
     * @param number in the unit of the comparison's dimension, or a ratio; 0 for figures
     */
    public record Side(@Nullable Term over, @Nullable Term under, double number) {
        public boolean isRatio() {
            return under != null;
        }

        Stream<Term> terms() {
            return Stream.of(over, under).filter(Objects::nonNull);
        }

        OptionalDouble value(BiFunction<Term, Dimension, OptionalDouble> figures, Dimension dimension) {
            if (over == null) {
                return OptionalDouble.of(number);
            }
            OptionalDouble first = figures.apply(over, dimension);
            OptionalDouble second = under == null ? OptionalDouble.of(1) : figures.apply(under, dimension);
            return first.isPresent() && second.isPresent() && second.getAsDouble() != 0
                    ? OptionalDouble.of(first.getAsDouble() / second.getAsDouble())
                    : OptionalDouble.empty();
        }
    }

    public List<Term> terms() {
        return Stream.concat(left.terms(), right.terms()).toList();
    }

    public boolean ofRatios() {
        return left.isRatio();
    }

    public OptionalDouble leftOf(BiFunction<Term, Dimension, OptionalDouble> figures) {
        return left.value(figures, dimension);
    }

    public OptionalDouble rightOf(BiFunction<Term, Dimension, OptionalDouble> figures) {
        return right.value(figures, dimension);
    }

    public boolean holds(double leftValue, double rightValue) {
        return within == null
                ? Objects.requireNonNull(op).holds(leftValue, rightValue)
                : Math.abs(leftValue - rightValue) <= within * Math.abs(rightValue);
    }
}
