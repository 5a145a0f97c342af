package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Labels;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Evaluates checks against figures of a trial or of its seconds. */
public final class Checks {
    private static final String SHARE_OF_SECONDS = "share of seconds";

    /**
     * Evaluates a check. The check fails if its figure does not exist, or if it sets an upper limit on a latency that
     * is known only as a lower bound.
     */
    public static CheckResult evaluate(TrialResult whole, Check check) {
        TrialResult trial = whole.of(check.label());
        Double share = check.ofSeconds();
        if (share != null) {
            return ofSeconds(trial, check, share);
        }
        OptionalDouble value = FigureCatalogue.value(trial, check.figure(), check.dimension());
        FigureCatalogue.Named named = FigureCatalogue.named(check.figure());
        boolean unbounded = check.op().limitsAbove() && named.figure().isAtLeast(trial, named.statistic());
        boolean passed = value.isPresent() && !unbounded && check.op().holds(value.getAsDouble(), check.limit());
        Double measured = value.isPresent() ? value.getAsDouble() : null;
        return new CheckResult(check.text(), measured, Units.of(check.dimension()), passed);
    }

    /**
     * Evaluates a check of seconds: seconds without acknowledgments fail limits on response times; unobserved seconds
     * do not count.
     */
    private static CheckResult ofSeconds(TrialResult trial, Check check, double least) {
        List<Second> measured = trial.measured().filter(s -> isKnown(s, check)).toList();
        if (measured.isEmpty()) {
            return new CheckResult(check.text(), null, SHARE_OF_SECONDS, false);
        }
        double met = measured.stream().mapToDouble(s -> counted(s, check, true)).sum();
        double share = met
                / measured.stream().mapToDouble(s -> counted(s, check, false)).sum();
        return new CheckResult(check.text(), share, SHARE_OF_SECONDS, share >= least);
    }

    static boolean isKnown(Second second, Check check) {
        return counted(second, check, false) > 0;
    }

    /**
     * Number of seconds in an entry or, with {@code met}, number of its seconds that pass the check. For a minute, both
     * were counted when its seconds were folded.
     */
    private static double counted(Second second, Check check, boolean met) {
        Double counted = second.figures().get(counter(check, met));
        return counted != null ? counted : says(second, check) && (!met || holds(second, check)) ? 1 : 0;
    }

    private static String counter(Check check, boolean met) {
        return check.text() + (met ? " met" : " told");
    }

    static Map<String, Double> counts(Second second, Check check) {
        return Map.of(
                counter(check, false),
                counted(second, check, false),
                counter(check, true),
                counted(second, check, true));
    }

    private static boolean says(Second second, Check check) {
        return !FigureCatalogue.named(check.figure()).figure().mayBeMissing
                || second.figures().containsKey(SecondFigures.key(check));
    }

    /** The value of the check's figure in a second; null if the second has none. */
    static @Nullable Number value(Second second, Check check) {
        FigureCatalogue.Named named = FigureCatalogue.named(check.figure());
        Number shown = named.figure().shown(second, named.statistic(), check.dimension());
        return shown == null ? second.figures().get(SecondFigures.key(check)) : shown;
    }

    static boolean holds(Second second, Check check) {
        Number value = value(second, check);
        return value != null && check.op().holds(value.doubleValue(), check.limit());
    }

    /**
     * Whether the figures of a label decide a check. A null label means all clients; they also decide a check of the
     * only group.
     */
    static boolean concerns(Check check, @Nullable String label) {
        return label == null
                ? check.label() == null || Labels.isOnlyGroup(check.label(), List.of())
                : label.equals(check.label());
    }

    /** Figures of single seconds that checks need; no other figures are kept. */
    static final class SecondFigures {
        private final Collection<Check> checks;
        private final Map<String, Check> wanted = new TreeMap<>();
        private final Map<Integer, Map<String, Double>> observed = new HashMap<>();

        SecondFigures(Collection<Check> checks) {
            this(checks, false);
        }

        /** @param all whether to include checks that are not per second */
        SecondFigures(Collection<Check> checks, boolean all) {
            this.checks =
                    checks.stream().filter(c -> all || c.ofSeconds() != null).toList();
            this.checks.forEach(c -> wanted.putIfAbsent(key(c), c));
        }

        static String key(Check check) {
            return check.figure() + " " + check.dimension();
        }

        void accept(Observation o) {
            wanted.forEach((key, check) -> {
                Figure figure = FigureCatalogue.named(check.figure()).figure();
                if (figure.isObserved()) {
                    figure.seenIn(o).ifPresent(value -> observed.computeIfAbsent(
                                    SnapshotSum.numberOf(o.fromNanos(), o.toNanos()), s -> new HashMap<>())
                            .merge(key, value, figure::worse));
                }
            });
        }

        static Second with(Second s, Map<String, Double> more) {
            Map<String, Double> all = new HashMap<>(s.figures());
            all.putAll(more);
            return more.isEmpty()
                    ? s
                    : new Second(s.at(), s.phase(), s.rates(), s.response(), s.lag(), s.cpuCores(), all, s.seconds());
        }

        Map<String, Double> observed(int second) {
            return observed.getOrDefault(second, Map.of());
        }

        /**
         * Adds the check counts of a second that becomes part of a minute; the observations of the second are dropped.
         */
        void fold(int number, Second second, Map<String, Double> into) {
            Second whole = with(second, observed(number));
            observed.remove(number);
            checks.forEach(check -> Checks.counts(whole, check).forEach((name, n) -> into.merge(name, n, Double::sum)));
        }

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
}
