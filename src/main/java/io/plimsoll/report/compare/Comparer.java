package io.plimsoll.report.compare;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.report.compare.Comparison.Basis;
import io.plimsoll.report.compare.Comparison.CeilingPair;
import io.plimsoll.report.compare.Comparison.Curve;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.LoadCurve;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.ABVariants;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Figures;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.stats.Estimate;
import io.plimsoll.stats.RatioInterval;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares runs, each side with the first. */
public final class Comparer {
    /** The figures shown by default; further figures can be requested by name. */
    public static final List<String> USUAL = List.of(
            "produce.throughput",
            "produce.response.p50",
            "produce.response.p99",
            "produce.response.p99.9",
            "consume.throughput",
            "consume.endToEnd.p50",
            "consume.endToEnd.p99",
            "consume.endToEnd.p99.9");

    private final List<Side> sides;
    private final List<FigureComparison> figures;
    private final OptionalDouble tolerance;
    private final List<TrialPair> trials = new ArrayList<>();
    private final List<CeilingPair> ceilings = new ArrayList<>();
    private final Set<Sentence> unpaired = new LinkedHashSet<>();
    private final List<Sentence> missing = new ArrayList<>();

    private Comparer(List<Side> sides, List<String> figures, OptionalDouble tolerance) {
        figures.forEach(Comparer::check);
        this.sides = sides;
        this.figures = (figures.isEmpty() ? USUAL : figures)
                .stream().map(FigureComparison::of).toList();
        this.tolerance = tolerance;
    }

    /**
     * @param runs one or more runs for each side; or a single run made with {@code --ab}
     * @param figures names as in checks; empty for {@link #USUAL}
     * @param tolerance maximum relative regression; empty for no gate
     * @throws PlimsollException {@link Exit#USAGE} if the sides have no trial in common or a figure is unknown
     */
    public static Comparison compare(List<List<ComparedRun>> runs, List<String> figures, OptionalDouble tolerance) {
        return new Comparer(sides(runs), figures, tolerance).compare();
    }

    /** Compares alternating runs, pair by pair. A side is named by its setting, such as {@code cluster=kafka1:9092}. */
    static Comparison inTurns(
            List<List<ComparedRun>> runs, List<String> what, List<String> figures, OptionalDouble tolerance) {
        return new Comparer(sides(runs, what, true), figures, tolerance).compare();
    }

    private static void check(String figure) {
        if (!FigureComparison.comparable(figure)) {
            List<String> known = Figures.ALL.keySet().stream()
                    .filter(FigureComparison::comparable)
                    .toList();
            throw Exit.USAGE.because(
                    "report.notAFigure",
                    figure,
                    Suggestions.nearest(figure, known)
                            .map(near -> Sentence.of("report.didYouMean", near))
                            .orElse(Sentence.of("report.suchFigures")));
        }
    }

    private Comparison compare() {
        boolean searches =
                sides.stream().allMatch(s -> !s.first().result().ceilings().isEmpty());
        for (Side other : sides.subList(1, sides.size())) {
            if (searches) {
                pairCeilings(sides.get(0), other);
            } else {
                pairTrials(sides.get(0), other);
            }
        }
        Exit.USAGE.when(trials.isEmpty() && ceilings.isEmpty(), "report.noCommonTrial", List.copyOf(unpaired));
        List<Comparison.Difference> differences = Differences.of(sides);
        List<Comparison.Side> shown = sides.stream()
                .map(s -> new Comparison.Side(
                        s.label(),
                        s.what(),
                        s.runs().stream().map(r -> r.path().toString()).toList(),
                        s.first().result().head().startedAt()))
                .toList();
        return new Comparison(
                sentence(trials, ceilings),
                shown,
                differences,
                Differences.warnings(sides, differences),
                List.copyOf(trials),
                List.copyOf(ceilings),
                List.copyOf(unpaired),
                tolerance.isPresent() ? Comparison.Gate.of(tolerance.getAsDouble(), trials, ceilings, missing) : null);
    }

    /**
     * Pairs trials by own name and parameters, then the remaining trials by parameters, then by name; single trials are
     * paired regardless of their names.
     */
    private void pairTrials(Side first, Side other) {
        Set<Group> taken = new HashSet<>();
        List<Group> left = new ArrayList<>(first.groups());
        boolean single = first.groups().size() == 1 && other.groups().size() == 1;
        List<BiPredicate<Group, Group>> ways = List.of(
                (a, b) -> single || b.key().equals(a.key()),
                (a, b) -> !a.parameters().isEmpty() && b.parameters().equals(a.parameters()),
                (a, b) -> b.name().equals(a.name()));
        for (BiPredicate<Group, Group> alike : ways) {
            left.removeIf(a -> {
                Optional<Group> found = other.groups().stream()
                        .filter(b -> !taken.contains(b) && alike.test(a, b))
                        .findFirst();
                found.ifPresent(b -> {
                    taken.add(b);
                    add(first, other, a, b);
                });
                return found.isPresent();
            });
        }
        left.forEach(a -> missing(Sentence.of("report.compare.onlyIn", a.name(), first.label())));
        other.groups().stream()
                .filter(g -> !taken.contains(g))
                .forEach(g -> unpaired.add(Sentence.of("report.compare.onlyIn", g.name(), other.label())));
    }

    private void missing(Sentence onlyInFirst) {
        unpaired.add(onlyInFirst);
        missing.add(onlyInFirst);
    }

    private static boolean measured(Group group) {
        return group.trials().stream().anyMatch(ComparedTrial::measured);
    }

    private void add(Side first, Side other, Group a, Group b) {
        List<FigureLine> lines = figures.stream()
                .flatMap(f -> f.compare(a.measured(), b.measured(), first.pairs()).stream())
                .toList();
        List<Curve> curves = Stream.concat(
                        a.trials().stream().map(t -> curve(first, t)),
                        b.trials().stream().map(t -> curve(other, t)))
                .toList();
        boolean measured = measured(a) && measured(b);
        trials.add(new TrialPair(a.name(), a.parameters(), first.label(), other.label(), measured, lines, curves));
    }

    /** The curve of a trial without its drain: the load ends there, so the figures are not comparable. */
    private static Curve curve(Side side, ComparedTrial measured) {
        return new Curve(
                side.label(),
                measured.trial().detail().seconds().stream()
                        .filter(s -> !s.phase().equals("drain"))
                        .toList());
    }

    private void pairCeilings(Side first, Side other) {
        Map<Map<String, String>, List<Ceiling>> left = searches(other);
        searches(first).forEach((parameters, before) -> {
            List<Ceiling> after = left.remove(parameters);
            if (after == null) {
                missing(onlyIn(first, before.get(0)));
            } else {
                ceilings.add(pair(first, other, before, after));
            }
        });
        left.values().forEach(searches -> unpaired.add(onlyIn(other, searches.get(0))));
    }

    private static Map<Map<String, String>, List<Ceiling>> searches(Side side) {
        return side.runs().stream()
                .flatMap(run -> run.result().ceilings().stream())
                .collect(Collectors.groupingBy(Ceiling::parameters, LinkedHashMap::new, Collectors.toList()));
    }

    private static Sentence onlyIn(Side side, Ceiling ceiling) {
        String of = ceiling.parameters().isEmpty() ? side.what() : SettingNames.joined(ceiling.parameters());
        return Sentence.of("report.compare.ceilingOnlyIn", of, side.label());
    }

    private static CeilingPair pair(Side first, Side other, List<Ceiling> before, List<Ceiling> after) {
        double[] lowest = lower(before);
        double[] highest = upper(before);
        boolean stopped = after.stream().allMatch(Ceiling::nothingPasses)
                && Arrays.stream(lowest).allMatch(l -> l > 0);
        Double lost = null;
        Outcome outcome = Outcome.UNKNOWN;
        if (stopped || RatioInterval.enough(before.size(), after.size())) {
            // A search without an upper bound sustained its maximum load, so it has no loss.
            Optional<RatioInterval> most = ofSearches(lowest, upper(after));
            lost = stopped ? 1 : most.isPresent() ? 1 - most.get().high() : 0;
            boolean better =
                    ofSearches(highest, lower(after)).filter(i -> i.low() > 1).isPresent();
            outcome = lost > 0 ? Outcome.WORSE : better ? Outcome.BETTER : Outcome.NO_DIFFERENCE;
        }
        List<LoadCurve> loads = new ArrayList<>();
        before.forEach(c -> loads.add(new LoadCurve(first.label(), bounds(List.of(c)), c.curve())));
        after.forEach(c -> loads.add(new LoadCurve(other.label(), bounds(List.of(c)), c.curve())));
        boolean measured = Stream.concat(before.stream(), after.stream())
                .allMatch(c -> c.course().answered() || c.nothingPasses());
        return new CeilingPair(
                before.get(0).parameters(),
                first.label(),
                other.label(),
                measured,
                bounds(before),
                bounds(after),
                lost,
                outcome,
                loads);
    }

    /** The ratio of bounds; empty if one of them is unknown. */
    private static Optional<RatioInterval> ofSearches(double[] before, double[] after) {
        boolean known =
                DoubleStream.concat(Arrays.stream(before), Arrays.stream(after)).allMatch(Double::isFinite);
        return known ? RatioInterval.ofRuns(before, after) : Optional.empty();
    }

    /** Lower bounds in records/s; 0 if no load passed. */
    private static double[] lower(List<Ceiling> searches) {
        return each(searches, Ceiling.Bound::lowerRecordsPerSecond, 0);
    }

    /** Upper bounds in records/s; infinite if no load failed. */
    private static double[] upper(List<Ceiling> searches) {
        return each(searches, Ceiling.Bound::upperRecordsPerSecond, Double.POSITIVE_INFINITY);
    }

    private static double[] each(List<Ceiling> searches, Function<Ceiling.Bound, Double> bound, double unknown) {
        return searches.stream()
                .mapToDouble(c ->
                        Optional.ofNullable(c.found().decisive()).map(bound).orElse(unknown))
                .toArray();
    }

    private static Comparison.CeilingBounds bounds(List<Ceiling> searches) {
        double lower = Arrays.stream(lower(searches)).min().orElse(0);
        double upper = Arrays.stream(upper(searches)).max().orElse(Double.POSITIVE_INFINITY);
        return new Comparison.CeilingBounds(lower == 0 ? null : lower, Double.isFinite(upper) ? upper : null);
    }

    private record FigureComparison(String figure, Dimension dimension) {
        static FigureComparison of(String figure) {
            return new FigureComparison(figure, Sheet.dimension(figure));
        }

        /** Whether a figure has a better direction, as rates and times have. */
        static boolean comparable(String figure) {
            return Figures.moreIsBetter(figure).isPresent();
        }

        Optional<FigureLine> compare(Group first, Group second, boolean pairs) {
            double[] a = values(first);
            double[] b = values(second);
            if (a.length == 0 && b.length == 0) {
                return Optional.empty();
            }
            Basis basis = pairs ? Basis.PAIRS : a.length > 1 || b.length > 1 ? Basis.RUNS : Basis.SECONDS;
            Optional<RatioInterval> interval = a.length == 0 || b.length == 0
                    ? Optional.empty()
                    : switch (basis) {
                        case PAIRS -> paired(first, second);
                        case RUNS -> RatioInterval.ofRuns(a, b);
                        case SECONDS -> fromSeconds(first, second);
                    };
            return Optional.of(new FigureLine(
                    figure,
                    Units.of(dimension),
                    typical(a),
                    typical(b),
                    interval.orElse(null),
                    interval.isPresent() ? basis : null,
                    basis == Basis.SECONDS
                            ? null
                            : interval.map(RatioInterval::detectable).orElse(null),
                    outcome(typical(a), typical(b), basis == Basis.SECONDS ? Optional.empty() : interval)));
        }

        private Optional<RatioInterval> fromSeconds(Group first, Group second) {
            Optional<Estimate> a = estimate(first.trials().get(0));
            Optional<Estimate> b = estimate(second.trials().get(0));
            return a.isPresent() && b.isPresent() ? Optional.of(RatioInterval.of(a.get(), b.get())) : Optional.empty();
        }

        private Optional<RatioInterval> paired(Group first, Group second) {
            var halves = first.trials().stream()
                    .flatMap(a -> second.trials().stream()
                            .filter(b -> a.pair() != null && a.pair().equals(b.pair()))
                            .map(b -> List.of(value(a), value(b))))
                    .filter(p -> p.stream().allMatch(OptionalDouble::isPresent))
                    .toList();
            return RatioInterval.ofPairs(
                    halves.stream().mapToDouble(p -> p.get(0).getAsDouble()).toArray(),
                    halves.stream().mapToDouble(p -> p.get(1).getAsDouble()).toArray());
        }

        /** @param betweenRuns empty if the variation of the figure between runs is unknown */
        private Outcome outcome(@Nullable Double first, @Nullable Double second, Optional<RatioInterval> betweenRuns) {
            boolean more = Figures.moreIsBetter(figure).orElse(false);
            if (more && first != null && first > 0 && second != null && second == 0) {
                return Outcome.WORSE;
            }
            if (betweenRuns.isEmpty()) {
                return Outcome.UNKNOWN;
            }
            if (!betweenRuns.get().differs()) {
                return Outcome.NO_DIFFERENCE;
            }
            return betweenRuns.get().ratio() > 1 == more ? Outcome.BETTER : Outcome.WORSE;
        }

        private double[] values(Group group) {
            return group.trials().stream()
                    .map(this::value)
                    .filter(OptionalDouble::isPresent)
                    .mapToDouble(OptionalDouble::getAsDouble)
                    .toArray();
        }

        private OptionalDouble value(ComparedTrial m) {
            return FigureCatalogue.value(m.trial(), figure, dimension);
        }

        private Optional<Estimate> estimate(ComparedTrial m) {
            OptionalDouble value = value(m);
            return value.isPresent()
                    ? m.run().estimates(m.trial().name()).estimate(figure, value.getAsDouble())
                    : Optional.empty();
        }

        /** The geometric mean of the values; ratios are computed from these means. */
        private static @Nullable Double typical(double[] values) {
            if (values.length == 0) {
                return null;
            }
            double sum = 0;
            for (double value : values) {
                sum += Math.log(value);
            }
            return values.length == 1 ? Double.valueOf(values[0]) : Double.valueOf(Math.exp(sum / values.length));
        }
    }

    /** A trial in all runs or pairs of a side; the parameters exclude arm and pair. */
    record Group(String name, Map<String, String> parameters, List<ComparedTrial> trials) {
        String key() {
            return key(name, parameters);
        }

        /** Equal only for repetitions of a trial: trials with different names can have equal parameters. */
        static String key(String name, Map<String, String> parameters) {
            return SettingNames.ownName(name, parameters) + "\n" + parameters;
        }

        /** Omits trials that do not describe the cluster, unless no other trials exist. */
        Group measured() {
            List<ComparedTrial> measured =
                    trials.stream().filter(ComparedTrial::measured).toList();
            return measured.isEmpty() ? this : new Group(name, parameters, measured);
        }
    }

    /** @param pair name of the trial's pair in alternating runs */
    record ComparedTrial(
            TrialResult trial, ComparedRun run, @Nullable String pair) {
        boolean measured() {
            return trial.course().complete() && Invalidity.of(trial).isEmpty();
        }
    }

    /** @param pairs whether its trials alternated with the trials of the other sides */
    record Side(String label, String what, List<ComparedRun> runs, List<Group> groups, boolean pairs) {
        ComparedRun first() {
            return runs.get(0);
        }

        Stream<TrialResult> trials() {
            return groups.stream().flatMap(g -> g.trials().stream()).map(ComparedTrial::trial);
        }
    }

    private static List<Side> sides(List<List<ComparedRun>> given) {
        if (given.size() == 1) {
            return arms(given.get(0));
        }
        return sides(
                given,
                given.stream().map(runs -> runs.get(0).result().head().name()).toList(),
                false);
    }

    /** @param pairs whether the first runs of all sides form a pair, then the second runs, and so on */
    private static List<Side> sides(List<List<ComparedRun>> given, List<String> what, boolean pairs) {
        List<Side> sides = new ArrayList<>();
        for (List<ComparedRun> runs : given) {
            Map<String, Group> groups = new LinkedHashMap<>();
            for (int i = 0; i < runs.size(); i++) {
                ComparedRun run = runs.get(i);
                String pair = pairs ? String.valueOf(i) : null;
                run.result()
                        .trials()
                        .forEach(
                                t -> group(groups, t.name(), t.detail().parameters(), new ComparedTrial(t, run, pair)));
            }
            sides.add(new Side(label(sides.size()), what.get(sides.size()), runs, List.copyOf(groups.values()), pairs));
        }
        return sides;
    }

    private static List<Side> arms(List<ComparedRun> runs) {
        ComparedRun run = runs.get(0);
        Map<String, Map<String, Group>> arms = new LinkedHashMap<>();
        for (TrialResult trial : run.result().trials()) {
            String arm = trial.detail().parameters().get(ABVariants.ARM);
            Exit.USAGE.when(runs.size() > 1 || arm == null, "report.nothingToCompareWith", run.path());
            if (ABVariants.COLD.equals(trial.detail().parameters().get(ABVariants.PAIR))) {
                continue;
            }
            Map<String, String> parameters = new LinkedHashMap<>(trial.detail().parameters());
            parameters.keySet().removeAll(List.of(ABVariants.ARM, ABVariants.PAIR));
            String name =
                    ABVariants.cell(trial.name()).orElse(run.result().head().name());
            String pair = trial.detail().parameters().get(ABVariants.PAIR);
            group(
                    arms.computeIfAbsent(arm, a -> new LinkedHashMap<>()),
                    name,
                    parameters,
                    new ComparedTrial(trial, run, pair));
        }
        List<Side> sides = new ArrayList<>();
        arms.forEach((arm, groups) -> sides.add(new Side(
                label(sides.size()), ABVariants.setting(arm), List.of(run), List.copyOf(groups.values()), true)));
        Exit.USAGE.when(sides.size() < 2, "report.endedBeforeBoth", run.path());
        return sides;
    }

    private static void group(
            Map<String, Group> groups, String name, Map<String, String> parameters, ComparedTrial trial) {
        Group group = groups.computeIfAbsent(
                Group.key(name, parameters), key -> new Group(name, parameters, new ArrayList<>()));
        group.trials().add(trial);
    }

    private static String label(int index) {
        return index < 26 ? String.valueOf((char) ('A' + index)) : "#" + (index + 1);
    }

    private static Sentence sentence(List<TrialPair> trials, List<CeilingPair> ceilings) {
        List<Sentence> sentences = new ArrayList<>();
        Map<String, List<TrialPair>> bySide = new LinkedHashMap<>();
        trials.forEach(
                t -> bySide.computeIfAbsent(t.second(), s -> new ArrayList<>()).add(t));
        bySide.forEach((side, pairs) -> sentences.add(ofSide(pairs)));
        ceilings.forEach(c -> sentences.add(ofCeiling(c)));
        return Sentence.joined(sentences);
    }

    private record Found(TrialPair pair, FigureLine line) {}

    private static Sentence ofSide(List<TrialPair> pairs) {
        List<Found> all = pairs.stream()
                .flatMap(p -> p.figures().stream().map(f -> new Found(p, f)))
                .toList();
        List<Found> worse = with(all, Outcome.WORSE);
        List<Found> better = with(all, Outcome.BETTER);
        List<Found> same = with(all, Outcome.NO_DIFFERENCE);
        String first = pairs.get(0).first();
        String second = pairs.get(0).second();
        boolean several = pairs.size() > 1;
        if (worse.isEmpty() && better.isEmpty()) {
            if (!same.isEmpty()) {
                return Sentence.of("report.compare.noDifference", first, second, same.size(), detectable(same));
            }
            boolean measured = all.stream().anyMatch(f -> f.line().ratio().isPresent());
            return Sentence.of(measured ? "report.compare.tooFewRuns" : "report.compare.notBoth", first, second);
        }
        if (worse.isEmpty()) {
            return Sentence.of(
                    "report.compare.isBetter", second, first, better.size(), all.size(), largest(better, several));
        }
        Sentence also = better.isEmpty()
                ? Sentence.NONE
                : Sentence.of("report.compare.alsoBetter", better.size(), largest(better, several));
        return Sentence.of(
                "report.compare.isWorse", second, first, worse.size(), all.size(), largest(worse, several), also);
    }

    private static List<Found> with(List<Found> all, Outcome outcome) {
        return all.stream().filter(f -> f.line().outcome() == outcome).toList();
    }

    private static Sentence detectable(List<Found> same) {
        var shares = same.stream().mapToDouble(f -> f.line().detectable()).summaryStatistics();
        double most = shares.getMax();
        if (most >= 1) {
            return Sentence.of("report.compare.variesSoMuch");
        }
        return same.size() == 1
                ? Sentence.of("report.compare.detectable", Units.percent(most))
                : Sentence.of("report.compare.detectableFrom", Units.percent(shares.getMin()), Units.percent(most));
    }

    private static Sentence largest(List<Found> found, boolean several) {
        Found f = Collections.max(found, Comparator.comparingDouble(Comparer::size));
        String figure = f.line().figure();
        String trial = f.pair().name();
        return Sentence.of(
                found.size() > 1 ? "report.compare.mostIn" : "report.compare.in",
                several ? Sentence.of("report.compare.figureOf", figure, trial) : figure,
                interval(f).map(Comparer::change).orElse(Sentence.of("report.compare.stopped")));
    }

    /** The logarithm of the change; infinite for a rate that fell to zero. */
    private static double size(Found found) {
        return interval(found).map(i -> Math.abs(Math.log(i.ratio()))).orElse(Double.POSITIVE_INFINITY);
    }

    /** The interval of a significant change; empty for a rate that fell to zero, which has no ratio. */
    private static Optional<RatioInterval> interval(Found found) {
        return Optional.ofNullable(found.line().interval());
    }

    private static Sentence ofCeiling(CeilingPair pair) {
        String setting = SettingNames.joined(pair.parameters());
        Sentence of = setting.isEmpty() ? Sentence.NONE : Sentence.of("report.compare.setting", setting);
        return switch (pair.outcome()) {
            case BETTER -> Sentence.of("report.compare.ceilingHigher", of, pair.second(), pair.first());
            case WORSE -> Sentence.of("report.compare.ceilingLower", of, pair.second(), pair.first());
            case NO_DIFFERENCE -> Sentence.of("report.compare.ceilingsOverlap", of, pair.first(), pair.second());
            case UNKNOWN -> Sentence.of("report.compare.tooFewRuns", pair.first(), pair.second());
        };
    }

    private static final double FACTORS_FROM = 2;

    /** A ratio for display, such as {@code 1.042}, {@code 2.31}, {@code 14.2}. */
    public static String ratio(double ratio) {
        return Units.decimals(ratio, ratio < 1.995 ? 3 : ratio < 9.995 ? 2 : 1);
    }

    /** A change as text, such as {@code 12 % more (8.1 % to 16 %)} or {@code 4.1 times as much (3.8 to 4.4)}. */
    public static Sentence change(RatioInterval i) {
        if (i.ratio() >= FACTORS_FROM) {
            return Sentence.of("report.compare.timesAsMuch", ratio(i.ratio()), ratio(i.low()), ratio(i.high()));
        }
        return i.ratio() > 1
                ? Sentence.of(
                        "report.compare.moreBy",
                        Units.percent(i.ratio() - 1),
                        Units.percent(i.low() - 1),
                        Units.percent(i.high() - 1))
                : Sentence.of(
                        "report.compare.lessBy",
                        Units.percent(1 - i.ratio()),
                        Units.percent(1 - i.high()),
                        Units.percent(1 - i.low()));
    }
}
