package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Check.Operator;
import io.plimsoll.scenario.CrossCheck.Side;
import io.plimsoll.scenario.CrossCheck.Term;
import io.plimsoll.text.Sentence;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads a check between trials: {@code trials."b".FIGURE > trials."a".FIGURE}, with {@code FIGURE / FIGURE} for a ratio, a
 * limit or number instead of the second side, {@code within 10 % of} instead of an operator, and {@code in records/s} behind.
 */
public final class CrossCheckParser {
    private static final String TERM = "trials\\.(?:\"([^\"]+)\"|([A-Za-z0-9][\\w+=-]*))\\.([a-z]\\w*(?:\\.\\w+)*)";
    private static final Pattern SIDE = Pattern.compile(TERM + "(?:\\s*/\\s*" + TERM + ")?");
    private static final Pattern RELATION =
            Pattern.compile("\\s*(?:([<>=!]+)|within\\s+([\\d.]+)\\s*%\\s+of)\\s*", Pattern.DOTALL);
    private static final Pattern UNIT = Pattern.compile("(.*\\S)\\s+in\\s+(\\S+)\\s*", Pattern.DOTALL);

    private CrossCheckParser() {}

    /** Whether a check is meant to be between trials. */
    public static boolean isOne(String check) {
        return check.strip().startsWith("trials.");
    }

    /** @throws InvalidValueException with what was expected */
    public static CrossCheck parse(String text) {
        Matcher unit = UNIT.matcher(text);
        String body = unit.matches() ? unit.group(1) : text.strip();
        Matcher side = SIDE.matcher(body);
        if (!side.lookingAt()) {
            throw expected(text);
        }
        Side left = side(side);
        Matcher relation = RELATION.matcher(body).region(side.end(), body.length());
        if (!relation.lookingAt() || relation.end() == body.length()) {
            throw expected(text);
        }
        Operator op = relation.group(1) == null ? null : CheckParser.operator(relation.group(1));
        Double within = relation.group(2) == null ? null : Quantities.number(relation.group(2)) / 100;
        String rest = body.substring(relation.end());
        Matcher other = SIDE.matcher(rest);
        boolean figures = other.matches();
        Side second = figures ? side(other) : null;
        if (figures && second.isRatio() != left.isRatio()) {
            throw expected(text);
        }
        Set<Dimension> common = common(text, left, second);
        if (unit.matches()) {
            common.retainAll(ReferenceUnits.of(unit.group(2))
                    .map(u -> Set.of(u.dimension()))
                    .orElse(Set.of()));
        }
        return common.stream()
                .flatMap(dimension -> right(second, left, rest, dimension)
                        .map(r -> new CrossCheck(text.strip(), left, op, r, within, dimension))
                        .stream())
                .findFirst()
                .orElseThrow(() -> expected(text));
    }

    private static Optional<Side> right(Side figures, Side left, String rest, Dimension dimension) {
        return figures != null
                ? Optional.of(figures)
                : CheckParser.value(rest, left.isRatio() ? Dimension.RATIO : dimension)
                        .map(n -> new Side(null, null, n));
    }

    private static Side side(Matcher side) {
        return new Side(term(side, 1), side.group(6) == null ? null : term(side, 4), 0);
    }

    private static Term term(Matcher side, int group) {
        String trial = side.group(group) == null ? side.group(group + 1) : side.group(group);
        return new Term(trial, CheckParser.figure(side.group(group + 2)));
    }

    private static Set<Dimension> common(String text, Side left, Side right) {
        Set<Dimension> common = EnumSet.allOf(Dimension.class);
        Stream.concat(left.terms(), right == null ? Stream.of() : right.terms())
                .forEach(term -> common.retainAll(Figures.ALL.get(term.figure())));
        InvalidValueException.when(common.isEmpty(), "scenario.notComparable", Texts.quoted(text));
        return common;
    }

    private static InvalidValueException expected(String text) {
        return InvalidValueException.expected(
                Sentence.of(
                        "scenario.a.comparison",
                        "trials.\"b\".produce.throughput > trials.\"a\".produce.throughput",
                        "trials.\"b\".produce.throughput / trials.\"a\".produce.throughput > 1.2",
                        "trials.\"b\".produce.response.p99 within 10 % of trials.\"a\".produce.response.p99"),
                text);
    }
}
