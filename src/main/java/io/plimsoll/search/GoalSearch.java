package io.plimsoll.search;

import io.plimsoll.search.GoalSearch.Evidence.Standing;
import io.plimsoll.search.Step.Kind;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The search for one goal: brackets from below, bisects in log space, classifies both bounds. If trials contradict each
 * other, the lowest load that fails is the upper bound, as in RFC 9971. Used by one thread.
 */
final class GoalSearch {
    private static final double EPSILON = 1e-6;
    private static final double FIRST_STEP_UP = 4;
    private static final int MOST_ESTIMATES = 2;

    private final Goal goal;
    private SearchSettings settings;
    private final NavigableMap<Double, Evidence> loads = new TreeMap<>();
    private final double doubling;
    private double start;
    private double estimate = Double.NaN;
    private int estimateTrials;
    private int estimates;
    private double stepUp = FIRST_STEP_UP;
    private boolean belowFailed;

    GoalSearch(Goal goal, SearchSettings settings) {
        this.goal = goal;
        this.settings = settings;
        this.doubling = settings.cells(1, 2);
        this.start = clamped(settings.loads().least());
    }

    Goal goal() {
        return goal;
    }

    /** Sets the initial load; ignored if trials for another goal have already provided evidence. */
    void startAt(double load) {
        start = clamped(load);
    }

    /** Sets the initial load for a search without a guess of the ceiling: loads double from this load. */
    void beginAt(double load) {
        startAt(load);
        stepUp = doubling;
    }

    void generatorMakes(double most) {
        SearchSettings.Loads loads = settings.loads();
        double atMost = Math.max(loads.least(), most);
        settings = settings.withLoads(new SearchSettings.Loads(loads.least(), loads.most(), atMost));
    }

    void forgetPassesAbove(double load) {
        loads.tailMap(load, false).values().removeIf(e -> e.leaning() == Standing.LOWER);
        stepUp = FIRST_STEP_UP;
    }

    /** Sets a guess of the ceiling, and spends at most two trials to verify it. */
    void suspect(double load) {
        estimate = load;
        estimateTrials = 0;
        estimates++;
    }

    /** Sets a new guess, because an overloaded system usually achieves about its capacity. */
    private void suspectAgain(double achieved) {
        Double upper = upper();
        Double lower = lower(upper);
        boolean news = Double.isNaN(estimate) || Math.abs(settings.cells(estimate, achieved)) > 1;
        if (estimates < MOST_ESTIMATES
                && news
                && lower != null
                && upper != null
                && achieved > lower
                && achieved < upper) {
            suspect(achieved);
        }
    }

    void record(Step step, StepOutcome heard) {
        Boolean passed = heard.passed().get(goal);
        if (step.kind() == Kind.PUSH || passed == null) {
            return;
        }
        if (step.kind() == Kind.CURVE) {
            belowFailed |= !passed;
            return;
        }
        Double upperBefore = upper();
        boolean hadLower = lower(upperBefore) != null;
        boolean forEstimate = step.load() == belowEstimate() || step.load() == aboveEstimate();
        estimateTrials += forEstimate ? 1 : 0;
        loads.computeIfAbsent(
                        step.load(), load -> new Evidence(settings.lengths().full()))
                .add(step.seconds(), passed, !passed && heard.generatorLimited());
        if (!passed
                && goal == Goal.SUSTAINED
                && step.seconds() < settings.lengths().full()) {
            suspectAgain(heard.achieved());
        }
        if (step.kind() == Kind.BRACKET && passed && hadLower && !forEstimate) {
            stepUp *= 2;
        } else if (passed && upperBefore != null && step.load() == upperBefore) {
            // The suspected upper bound passed, so the true bound is close.
            stepUp = 1;
        }
    }

    /** @return empty if both bounds have the required precision */
    Optional<Step> next() {
        Double upper = upper();
        Double lower = lower(upper);
        if (lower == null) {
            return loads.isEmpty() ? brief(Kind.BRACKET, start) : downFrom(upper);
        }
        if (upper == null) {
            return upFrom(lower);
        }
        return between(lower, upper);
    }

    /** @param upper null if trials contradict each other at all loads so far */
    private Optional<Step> downFrom(@Nullable Double upper) {
        double least = settings.loads().least();
        double lowest = loads.firstKey();
        if (settings.cells(least, lowest) >= EPSILON) {
            return brief(Kind.BRACKET, Math.max(least, lowest / 2));
        }
        return upper == null ? Optional.empty() : classify(upper);
    }

    private Optional<Step> upFrom(double lower) {
        double highest = settings.loads().highest();
        // Only contested loads remain above the lower bound.
        double tried = loads.lastKey();
        if (settings.cells(tried, highest) < EPSILON) {
            double above = tried == lower ? lower : loads.higherKey(lower);
            return isWide(lower, above) ? bisect(lower, above) : classify(lower);
        }
        double guessed = guess(tried, highest);
        double next = settings.shifted(tried, Math.min(stepUp, doubling));
        return brief(Kind.BRACKET, Double.isNaN(guessed) ? next : guessed);
    }

    /**
     * The next trial: first in a wide gap between a bound and the nearest contested load or the other bound, then at
     * the bounds themselves.
     */
    private Optional<Step> between(double lower, double upper) {
        NavigableMap<Double, Evidence> inside = loads.subMap(lower, false, upper, false);
        double above = inside.isEmpty() ? upper : inside.firstKey();
        double below = inside.isEmpty() ? lower : inside.lastKey();
        if (isWide(lower, above)) {
            return bisect(lower, above);
        }
        if (!inside.isEmpty() && isWide(below, upper)) {
            return bisect(below, upper);
        }
        return classify(lower).or(() -> classify(upper));
    }

    private boolean isWide(double lower, double upper) {
        return settings.cells(lower, upper) > 1 + EPSILON;
    }

    private Optional<Step> bisect(double lower, double upper) {
        double guessed = guess(lower, upper);
        if (!Double.isNaN(guessed)) {
            return brief(Kind.BISECT, guessed);
        }
        // Equal cells, none wider than the goal width, with the same number on each side, to minimize trials.
        double cells = settings.cells(lower, upper);
        double whole = Math.ceil(cells - EPSILON);
        return brief(Kind.BISECT, settings.shifted(lower, Math.floor(whole / 2) * (cells / whole)));
    }

    /** A load directly below or above the suspected ceiling, if such a trial helps; otherwise NaN. */
    private double guess(double lower, double upper) {
        if (Double.isNaN(estimate) || estimateTrials >= 2) {
            return Double.NaN;
        }
        double below = belowEstimate();
        double above = aboveEstimate();
        if (settings.cells(lower, below) > EPSILON && settings.cells(below, upper) > 1) {
            return below;
        }
        return settings.cells(lower, above) > EPSILON && settings.cells(above, upper) > EPSILON ? above : Double.NaN;
    }

    private double belowEstimate() {
        return clamped(settings.shifted(estimate, -0.5));
    }

    private double aboveEstimate() {
        return clamped(settings.shifted(estimate, 0.5));
    }

    private Optional<Step> brief(Kind kind, double load) {
        return Optional.of(new Step(kind, clamped(load), settings.lengths().brief()));
    }

    /** The next trial at a load; empty if the load is classified. */
    private Optional<Step> classify(double load) {
        Standing known = evidence(load).classified();
        boolean done = known == Standing.LOWER || known == Standing.UPPER;
        return done
                ? Optional.empty()
                : Optional.of(new Step(Kind.CLASSIFY, load, settings.lengths().full()));
    }

    /** The evidence of a load that was tried. */
    private Evidence evidence(double load) {
        return Objects.requireNonNull(loads.get(load));
    }

    private double clamped(double load) {
        return Math.max(settings.loads().least(), Math.min(settings.loads().highest(), load));
    }

    /** The lowest load that seems to fail; null if none does. */
    private @Nullable Double upper() {
        return loads.entrySet().stream()
                .filter(e -> e.getValue().leaning() == Standing.UPPER)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    /** The highest load below the upper bound that seems to pass; null if none does. */
    private @Nullable Double lower(@Nullable Double upper) {
        NavigableMap<Double, Evidence> below = upper == null ? loads : loads.headMap(upper, false);
        return below.descendingMap().entrySet().stream()
                .filter(e -> e.getValue().leaning() == Standing.LOWER)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    Bounds bounds() {
        Double failing = upper();
        Double lower = lower(failing);
        Double upper = failing == null ? contestedAtTheEnd(lower) : failing;
        boolean abovePassed = upper != null
                && loads.tailMap(upper, false).values().stream().anyMatch(e -> e.leaning() == Standing.LOWER);
        boolean atGenerator = upper == null
                && lower != null
                && settings.loads().generatorMost() < settings.loads().most()
                && settings.cells(lower, settings.loads().generatorMost()) < EPSILON;
        return new Bounds(
                lower == null ? Double.NaN : lower,
                upper == null ? Double.NaN : upper,
                next().isEmpty(),
                abovePassed || belowFailed,
                atGenerator || (upper != null && evidence(upper).generatorLimited()),
                fullTrials(lower) + fullTrials(upper));
    }

    /**
     * The contested load at the end of the range: the highest load allowed or, if no load passed, the lowest. No other
     * load can be the upper bound, and the trials do not prove that this load was sustained. Null if it passed, or if
     * more trials will follow.
     */
    private @Nullable Double contestedAtTheEnd(@Nullable Double lower) {
        if (loads.isEmpty() || next().isPresent()) {
            return null;
        }
        if (lower == null) {
            return loads.firstKey();
        }
        return loads.lastKey() > lower ? loads.lastKey() : null;
    }

    private int fullTrials(@Nullable Double load) {
        return load == null ? 0 : evidence(load).fullTrials();
    }

    double cellsLeft() {
        Double upper = upper();
        Double lower = lower(upper);
        if (lower != null && upper != null) {
            return Math.max(1, Math.ceil(settings.cells(lower, upper) - EPSILON));
        }
        return doubling * (loads.isEmpty() ? 4 : 2);
    }

    /** The minimum number of full trials that the bounds still need. */
    int fullTrialsLeft() {
        Double upper = upper();
        Double lower = lower(upper);
        return missing(lower) + missing(upper);
    }

    private int missing(@Nullable Double load) {
        return load == null ? 2 : evidence(load).fullTrialsLeft();
    }

    /**
     * The evidence of the trials at one load about one goal. Durations are in seconds and are added up as in RFC 9971.
     * Used by one thread.
     *
     * <p>The classification follows the RFC's appendix, with a goal exceed ratio of one half and a duration sum of
     * three full trials, so that two full trials that agree decide. It is stricter in one case: if any trial at the
     * load, even a short one, disagrees, one side must lead by three full trials. A load with persistent disagreement
     * is <em>contested</em> and not a bound: it is between the bounds, which are then wider but still contain the true
     * ceiling. In simulations of noisy systems, this rule is necessary for 95 % correct answers.
     */
    static final class Evidence {
        private static final double EXCEED_RATIO = 0.5;
        private static final int SUM_OF_FULL = 3;
        private static final int AGREEING = 2;
        /** Lead in full trials that one side needs if the other side has any trial. */
        private static final int LEAD = 3;
        /** Number of full trials without a decision after which a load remains contested. */
        private static final int MOST_FULL = 5;

        private final double fullSeconds;
        private double shortLow;
        private double shortHigh;
        private double fullLow;
        private double fullHigh;
        private int fullPassed;
        private int fullFailed;
        private boolean lastPassed;
        private double invalid;

        /** Whether a load passes (a lower bound), fails (an upper bound), has contradictory trials, or has too few trials. */
        enum Standing {
            LOWER,
            UPPER,
            CONTESTED,
            OPEN
        }

        Evidence(double fullSeconds) {
            this.fullSeconds = fullSeconds;
        }

        /** @param generatorLimited whether the trial failed because of the load generator */
        void add(double seconds, boolean passed, boolean generatorLimited) {
            boolean full = seconds >= fullSeconds;
            lastPassed = passed;
            if (full) {
                fullPassed += passed ? 1 : 0;
                fullFailed += passed ? 0 : 1;
                fullLow += passed ? seconds : 0;
                fullHigh += passed ? 0 : seconds;
            } else {
                shortLow += passed ? seconds : 0;
                shortHigh += passed ? 0 : seconds;
            }
            invalid += generatorLimited ? seconds : 0;
        }

        Standing classified() {
            double balance = shortLow * EXCEED_RATIO / (1 - EXCEED_RATIO);
            double high = fullHigh + Math.max(0, shortHigh - balance);
            double whole = Math.max(fullLow + high, SUM_OF_FULL * fullSeconds);
            boolean lower = whole - fullLow <= whole * EXCEED_RATIO;
            boolean upper = high > whole * EXCEED_RATIO;
            if (lower && fullPassed - fullFailed >= lead(fullFailed > 0 || shortHigh > 0)) {
                return Standing.LOWER;
            }
            if (upper && fullFailed - fullPassed >= lead(fullPassed > 0 || shortLow > 0)) {
                return Standing.UPPER;
            }
            boolean disagree = fullPassed > 0 && fullFailed > 0;
            return disagree && fullTrials() >= MOST_FULL ? Standing.CONTESTED : Standing.OPEN;
        }

        private static int lead(boolean dissent) {
            return dissent ? LEAD : AGREEING;
        }

        /**
         * The best estimate: the classification, otherwise the majority of full trials, otherwise of short trials,
         * otherwise the last trial.
         */
        Standing leaning() {
            Standing known = classified();
            if (known != Standing.OPEN) {
                return known;
            }
            double ahead = fullPassed - fullFailed;
            if (ahead == 0) {
                ahead = shortLow - shortHigh;
            }
            boolean passes = ahead == 0 ? lastPassed : ahead > 0;
            return passes ? Standing.LOWER : Standing.UPPER;
        }

        /** Whether at least half of the failures at this load, by duration, are due to the load generator. */
        boolean generatorLimited() {
            return invalid > 0 && invalid >= (shortHigh + fullHigh) / 2;
        }

        /** Minimum number of full trials still needed to classify the load; 0 if it is classified or permanently contested. */
        int fullTrialsLeft() {
            if (classified() != Standing.OPEN) {
                return 0;
            }
            boolean dissent = (shortLow > 0 && shortHigh > 0) || (fullPassed > 0 && fullFailed > 0);
            return Math.max(1, lead(dissent) - Math.abs(fullPassed - fullFailed));
        }

        int fullTrials() {
            return fullPassed + fullFailed;
        }
    }
}
