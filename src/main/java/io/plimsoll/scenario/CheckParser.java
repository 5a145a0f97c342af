package io.plimsoll.scenario;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Check.Operator;
import io.plimsoll.scenario.CrossCheck.Side;
import io.plimsoll.scenario.CrossCheck.Term;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Rate.Unit;
import io.plimsoll.text.Sentence;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Parses a check such as {@code produce.response.p99 < 50ms}, or {@code … < 50ms for 95% of seconds}. */
public final class CheckParser {
    private static final Pattern CHECK = Pattern.compile(
            "\\s*([^\\s<>=!\\[]+(?:\\[[^\\]]*][^\\s<>=!]*)?)\\s*([<>=!]+)\\s*(.*?)\\s*", Pattern.DOTALL);
    private static final Pattern LABELED =
            Pattern.compile("(\\w+)\\[\\s*(?:(\\w+)\\s*=\\s*)?(?:\"([^\"]+)\"|([^\"]*[^\"\\s]))\\s*](\\..+)");
    /** Families of figures that exist by label. */
    private static final List<String> BY_LABEL = List.of("produce", "consume", "share", "reply");

    private static final Pattern OF_SECONDS =
            Pattern.compile("(.*?)\\s+for\\s+(\\S+)\\s+of\\s+(?:the\\s+)?seconds\\s*", Pattern.DOTALL);
    private static final Pattern SHORT_END_TO_END = Pattern.compile("(?<!\\w)consume\\.e2e\\.(?=[a-z])");

    private static final String TERM =
            "trials\\.(?:\"([^\"]+)\"|([A-Za-z0-9][\\w+=-]*))\\.([a-z]\\w*(?:\\[[^\\]]*])?(?:\\.\\w+)*)";
    private static final Pattern SIDE = Pattern.compile(TERM + "(?:\\s*/\\s*" + TERM + ")?");
    private static final Pattern RELATION =
            Pattern.compile("\\s*(?:([<>=!]+)|within\\s+([\\d.]+)\\s*%\\s+of)\\s*", Pattern.DOTALL);
    /** A quote or bracket shows that {@code in} belongs to the name of a trial or label. */
    private static final Pattern UNIT = Pattern.compile("(.*\\S)\\s+in\\s+([^\\s\"\\]]+)\\s*", Pattern.DOTALL);

    /** Replaces deprecated names, which are still accepted, with current names. Keeps the number of lines. */
    public static String today(String text) {
        return SHORT_END_TO_END.matcher(text).replaceAll("consume.endToEnd.");
    }

    /** @throws InvalidValueException with the expected form and, for a misspelled figure, the closest known name */
    public static Check parse(String text) {
        Matcher part = OF_SECONDS.matcher(text);
        if (!part.matches()) {
            return ofTrial(text);
        }
        Check each = ofTrial(part.group(1));
        double share = share(part.group(2));
        InvalidValueException.when(
                !Figures.PER_SECOND.getOrDefault(each.figure(), Set.of()).contains(each.dimension()),
                "scenario.notPerSecond",
                each.figure(),
                perSecond(each.figure()));
        return new Check(text.strip(), each.figure(), each.op(), each.limit(), each.dimension(), each.label(), share);
    }

    /** Like {@link #parse}, but only for figures that are known during the load. */
    public static Check guard(String text) {
        Check check = parse(text);
        InvalidValueException.when(
                !Objects.requireNonNull(Figures.KNOWN.get(check.figure())).guards() || check.ofSeconds() != null,
                "scenario.noGuard",
                text);
        return check;
    }

    /** Figures of the same family that exist per second; the statistics of a latency are combined to keep the list short. */
    private static String perSecond(String like) {
        String family = like.substring(0, like.indexOf('.') + 1);
        return Figures.KNOWN.values().stream()
                .filter(f ->
                        f.perSecond() && (f.statistic() == null || f.statistic().equals("p99")))
                .filter(f -> f.id().startsWith(family))
                .map(f -> f.statistic() == null ? f.id() : f.id() + " (.p50, .max, …)")
                .collect(Collectors.joining(", "));
    }

    private static double share(String text) {
        try {
            double share = Quantities.number(text);
            if (share > 0 && share <= 1) {
                return share;
            }
        } catch (InvalidValueException e) {
            // The error is reported below, together with values out of range.
        }
        throw new InvalidValueException("scenario.shareOfSeconds", Texts.quoted(text));
    }

    private static Check ofTrial(String text) {
        Matcher matcher = CHECK.matcher(text);
        InvalidValueException.unexpected(!matcher.matches() || matcher.group(3).isEmpty(), "scenario.a.check", text);
        Term subject = term("", matcher.group(1));
        String figure = subject.figure();
        Operator operator = operator(matcher.group(2));
        String limit = matcher.group(3);
        Set<Dimension> accepted = Figures.dimensions(figure);
        for (Dimension dimension : accepted) {
            Optional<Double> value = value(limit, dimension);
            if (value.isPresent()) {
                return new Check(text.strip(), figure, operator, value.get(), dimension, subject.label(), null);
            }
        }
        List<Sentence> examples = accepted.stream()
                .map(dimension -> Sentence.of("scenario.limit." + dimension))
                .toList();
        throw new InvalidValueException("scenario.limitOf", figure, Sentence.or(examples), Texts.quoted(limit));
    }

    private static String label(Matcher labeled) {
        InvalidValueException.when(
                !BY_LABEL.contains(labeled.group(1)), "scenario.notByLabel", labeled.group(1), Sentence.or(BY_LABEL));
        String value = labeled.group(3) == null ? labeled.group(4) : labeled.group(3);
        return labeled.group(2) == null ? Labels.group(value) : labeled.group(2) + "=" + value;
    }

    static String figure(String name) {
        String figure = today(name);
        if (Figures.ALL.containsKey(figure)) {
            return figure;
        }
        // The middle part of a name can be missing, as in produce.p99.
        int dot = figure.lastIndexOf('.');
        List<String> longer = Figures.ALL.keySet().stream()
                .filter(known -> dot > 0
                        && known.startsWith(figure.substring(0, dot + 1))
                        && known.endsWith(figure.substring(dot)))
                .toList();
        Sentence near = Suggestions.didYouMean(figure, Figures.ALL.keySet());
        if (!longer.isEmpty()) {
            near = Sentence.of("scenario.didYouMean", Sentence.or(longer));
        }
        throw new InvalidValueException(
                "scenario.unknownFigure",
                Texts.quoted(name),
                near.equals(Sentence.NONE) ? Sentence.of("scenario.knownFigures") : near);
    }

    static Operator operator(String symbol) {
        return Stream.of(Operator.values())
                .filter(operator -> operator.symbol().equals(symbol))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException(
                        "scenario.unknownComparison",
                        Texts.quoted(symbol),
                        Stream.of(Operator.values()).map(Operator::symbol).collect(Collectors.joining(" "))));
    }

    static Optional<Double> value(String limit, Dimension dimension) {
        try {
            return switch (dimension) {
                case MICROSECONDS ->
                    Optional.of(Quantities.durationOrZero(limit).toNanos() / 1e3);
                case COUNT -> limit.endsWith("%") ? Optional.empty() : Optional.of(count(limit));
                // Sizes without a unit, or with the units of a count, are also valid, as in earlier versions, in which
                // sizes had no dimension.
                case BYTES -> value(limit, Dimension.COUNT).or(() -> Optional.of((double) Quantities.bytes(limit)));
                case RATIO -> Optional.of(Quantities.number(limit));
                case BYTES_PER_SECOND -> rate(limit, Unit.PAYLOAD_BYTES);
                case RECORDS_PER_SECOND -> rate(limit, Unit.RECORDS);
            };
        } catch (InvalidValueException e) {
            return Optional.empty();
        }
    }

    private static double count(String limit) {
        return limit.indexOf('.') >= 0 ? Quantities.number(limit) : Quantities.count(limit, 0, Long.MAX_VALUE);
    }

    private static Optional<Double> rate(String limit, Unit unit) {
        Quantity rate = Quantities.rateOrZero(limit);
        return rate.unit() == unit ? Optional.of(rate.value()) : Optional.empty();
    }

    /** Whether the text is a check between trials. */
    public static boolean isComparison(String check) {
        return check.strip().startsWith("trials.");
    }

    /**
     * Parses a check between trials: {@code trials."b".FIGURE > trials."a".FIGURE}, optionally with {@code FIGURE /
     * FIGURE} for a ratio, a limit or number as the second side, {@code within 10 % of} instead of an operator, or a
     * unit such as {@code in records/s} at the end.
     *
     * @throws InvalidValueException with the expected form
     */
    public static CrossCheck comparison(String text) {
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
        Operator op = relation.group(1) == null ? null : operator(relation.group(1));
        Double within = relation.group(2) == null ? null : Quantities.number(relation.group(2)) / 100;
        String rest = body.substring(relation.end());
        Matcher other = SIDE.matcher(rest);
        boolean figures = other.matches();
        Side second = figures ? side(other) : null;
        if (second != null && second.isRatio() != left.isRatio()) {
            throw expected(text);
        }
        Set<Dimension> common = common(text, left, second);
        if (unit.matches()) {
            common.removeIf(dimension ->
                    Reference.unit(unit.group(2), Set.of(dimension)).isEmpty());
        }
        return common.stream()
                .flatMap(dimension -> right(second, left, rest, dimension)
                        .map(r -> new CrossCheck(text.strip(), left, op, r, within, dimension))
                        .stream())
                .findFirst()
                .orElseThrow(() -> expected(text));
    }

    private static Optional<Side> right(@Nullable Side figures, Side left, String rest, Dimension dimension) {
        return figures != null
                ? Optional.of(figures)
                : value(rest, left.isRatio() ? Dimension.RATIO : dimension).map(n -> new Side(null, null, n));
    }

    private static Side side(Matcher side) {
        return new Side(term(side, 1), side.group(6) == null ? null : term(side, 4), 0);
    }

    private static Term term(Matcher side, int group) {
        String trial = side.group(group) == null ? side.group(group + 1) : side.group(group);
        return term(trial, side.group(group + 2));
    }

    private static Term term(String trial, String name) {
        Matcher labeled = LABELED.matcher(name);
        return labeled.matches()
                ? new Term(trial, figure(labeled.group(1) + labeled.group(5)), label(labeled))
                : new Term(trial, figure(name), null);
    }

    private static Set<Dimension> common(String text, Side left, @Nullable Side right) {
        Set<Dimension> common = EnumSet.allOf(Dimension.class);
        Stream.concat(left.terms(), right == null ? Stream.of() : right.terms())
                .forEach(term -> common.retainAll(Figures.dimensions(term.figure())));
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
