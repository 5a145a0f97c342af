package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.scenario.Check;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Figures of single seconds that checks need; no other figures are kept. */
final class SecondFigures {
    private final Collection<Check> checks;
    private final Map<String, Check> wanted = new TreeMap<>();
    /** Observations of brokers and hosts, by second. */
    private final Map<Integer, Map<String, Double>> observed = new HashMap<>();

    SecondFigures(Collection<Check> checks) {
        this(checks, false);
    }

    /** @param all includes checks that are not per second */
    SecondFigures(Collection<Check> checks, boolean all) {
        this.checks = checks.stream().filter(c -> all || c.ofSeconds() != null).toList();
        this.checks.forEach(c -> wanted.putIfAbsent(key(c), c));
    }

    /** Key of a check in {@link TrialResult.Second#figures}. */
    static String key(Check check) {
        return check.figure() + " " + check.dimension();
    }

    void accept(Observation o) {
        wanted.forEach((key, check) -> {
            ObservedFigure figure =
                    FigureCatalogue.named(check.figure()).figure().observed();
            if (figure != null) {
                figure.of(o).ifPresent(value -> observed.computeIfAbsent(
                                SnapshotSum.numberOf(o.fromNanos(), o.toNanos()), s -> new HashMap<>())
                        .merge(key, value, figure::worse));
            }
        });
    }

    /** The same second, with more figures. */
    static Second with(Second s, Map<String, Double> more) {
        Map<String, Double> all = new HashMap<>(s.figures());
        all.putAll(more);
        return more.isEmpty()
                ? s
                : new Second(s.at(), s.phase(), s.rates(), s.response(), s.lag(), s.cpuCores(), all, s.seconds());
    }

    /** Observations of a second. */
    Map<String, Double> observed(int second) {
        return observed.getOrDefault(second, Map.of());
    }

    /** Counts for checks of a second that becomes part of a minute; its observations are dropped. */
    void fold(int number, Second second, Map<String, Double> into) {
        Second whole = with(second, observed(number));
        observed.remove(number);
        checks.forEach(check -> Checks.counts(whole, check).forEach((name, n) -> into.merge(name, n, Double::sum)));
    }

    /** Figures that a second does not have are absent. */
    Map<String, Double> of(Sums sums) {
        Map<String, Double> figures = new HashMap<>();
        wanted.forEach((key, check) -> {
            FigureCatalogue.Named named = FigureCatalogue.named(check.figure());
            Double value = named.figure().ofSecond(sums, named.statistic(), check.dimension());
            if (value != null) {
                figures.put(key, value);
            }
        });
        return figures;
    }
}
