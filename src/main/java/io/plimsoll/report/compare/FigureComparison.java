package io.plimsoll.report.compare;

import io.plimsoll.report.compare.ComparedSides.ComparedTrial;
import io.plimsoll.report.compare.ComparedSides.Group;
import io.plimsoll.report.compare.Comparison.Basis;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Figures;
import io.plimsoll.stats.Estimate;
import io.plimsoll.stats.RatioInterval;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Compares one figure of one trial on two sides. */
final class FigureComparison {
    /** The figures that a reader wants to know first; more can be asked for by name. */
    static final List<String> USUAL = List.of(
            "produce.throughput",
            "produce.response.p50",
            "produce.response.p99",
            "produce.response.p99.9",
            "consume.throughput",
            "consume.endToEnd.p50",
            "consume.endToEnd.p99",
            "consume.endToEnd.p99.9");

    private final String figure;
    private final Dimension dimension;

    FigureComparison(String figure) {
        this.figure = figure;
        Set<Dimension> dimensions = Figures.ALL.get(figure);
        this.dimension = dimensions.contains(Dimension.BYTES_PER_SECOND)
                ? Dimension.BYTES_PER_SECOND
                : dimensions.iterator().next();
    }

    /** True for rates and times that are of some size on both sides: only those have a ratio, and a better side. */
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
                dimension == Dimension.BYTES_PER_SECOND ? "bytes/s" : "us",
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

    /** Leaves out pairs with only one measured side. */
    private Optional<RatioInterval> paired(Group first, Group second) {
        var halves = first.trials().stream()
                .flatMap(a -> second.trials().stream()
                        .filter(b -> a.pair().equals(b.pair()))
                        .map(b -> List.of(value(a), value(b))))
                .filter(p -> p.stream().allMatch(OptionalDouble::isPresent))
                .toList();
        return RatioInterval.ofPairs(
                halves.stream().mapToDouble(p -> p.get(0).getAsDouble()).toArray(),
                halves.stream().mapToDouble(p -> p.get(1).getAsDouble()).toArray());
    }

    /** @param betweenRuns empty if nothing tells how much the figure varies from run to run */
    private Outcome outcome(Double first, Double second, Optional<RatioInterval> betweenRuns) {
        boolean rate = dimension == Dimension.BYTES_PER_SECOND;
        if (rate && first != null && first > 0 && second != null && second == 0) {
            return Outcome.WORSE;
        }
        if (betweenRuns.isEmpty()) {
            return Outcome.UNKNOWN;
        }
        if (!betweenRuns.get().differs()) {
            return Outcome.NO_DIFFERENCE;
        }
        return betweenRuns.get().ratio() > 1 == rate ? Outcome.BETTER : Outcome.WORSE;
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
        return value.isPresent() ? m.estimates().estimate(figure, value.getAsDouble()) : Optional.empty();
    }

    /** The geometric mean, which the ratios belong to. */
    private static Double typical(double[] values) {
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
