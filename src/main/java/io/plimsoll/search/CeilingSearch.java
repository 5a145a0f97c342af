package io.plimsoll.search;

import io.plimsoll.search.Answer.End;
import io.plimsoll.search.Step.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The search for the highest load that a system sustains: an iterator that is fed with results.
 *
 * <pre>
 *   CeilingSearch search = new CeilingSearch(settings);
 *   for (Optional&lt;Step&gt; step = search.next(); step.isPresent(); step = search.next()) {
 *       search.record(step.get(), trial(step.get()));
 *   }
 *   Answer answer = search.answer();
 * </pre>
 *
 * <p>As in RFC 9971 (MLRsearch), with an exponential start. A closed loop, or a trial at the highest load if one is
 * set, gives a first guess. Bracketing begins at half of it, so that low loads come first. Short trials bisect in log
 * space to the goal width, and full trials classify both bounds. A longer trial confirms the lower bound, and a few
 * loads below it draw the curve. Used by one thread.
 */
public final class CeilingSearch {
    private static final double START_SHARE = 0.5;
    private static final double CURVE_LOWEST = 0.3;
    private static final double CURVE_HIGHEST = 0.9;
    /**
     * Width of the range around a curve point, as a fraction of the lower bound, in which a measured load already
     * serves as the point.
     */
    private static final double CURVE_APART = 0.1;

    private static final int MOST_CONFIRMATIONS = 3;

    private final SearchSettings settings;
    private final List<GoalSearch> goals = new ArrayList<>();
    private final TreeSet<Double> tried = new TreeSet<>();
    private boolean pushed;
    private double confirmedLoad = Double.NaN;
    private int confirmations;
    private int curveTrials;
    private double spentSeconds;
    private double overheadSeconds;
    private double leastSeconds;
    private boolean outOfTime;

    public CeilingSearch(SearchSettings settings) {
        this.settings = settings;
        this.overheadSeconds = settings.lengths().overhead();
        for (Goal goal : List.of(Goal.WITHIN_SLO, Goal.SUSTAINED)) {
            if (settings.goals().contains(goal)) {
                goals.add(new GoalSearch(goal, settings));
            }
        }
    }

    /** The next trial; empty when the search is over. Repeated calls return the same trial. */
    public Optional<Step> next() {
        Optional<Step> wanted = wanted().map(s -> s.lasting(leastSeconds));
        outOfTime = wanted.isPresent() && seconds(wanted.get()) > settings.budgetSeconds() - spentSeconds;
        return outOfTime ? Optional.empty() : wanted;
    }

    private Optional<Step> wanted() {
        if (!pushed) {
            return Optional.of(new Step(
                    Kind.PUSH, settings.loads().most(), settings.lengths().push()));
        }
        return bounding().or(this::confirmation).or(this::curve);
    }

    private Optional<Step> bounding() {
        return goals.stream().flatMap(g -> g.next().stream()).findFirst();
    }

    private Optional<Step> confirmation() {
        double lower = lowest().lower();
        boolean wanted = settings.lengths().confirm() > 0
                && !Double.isNaN(lower)
                && lower != confirmedLoad
                && confirmations < MOST_CONFIRMATIONS;
        return wanted
                ? Optional.of(new Step(Kind.CONFIRM, lower, settings.lengths().confirm()))
                : Optional.empty();
    }

    /** Loads that are evenly spaced below the lower bound, in ascending order, except loads close to a measured load. */
    private Optional<Step> curve() {
        double lower = lowest().lower();
        int points = settings.curvePoints();
        if (Double.isNaN(lower)) {
            return Optional.empty();
        }
        for (int i = 0; i < points; i++) {
            double share =
                    points == 1 ? CURVE_HIGHEST : CURVE_LOWEST + (CURVE_HIGHEST - CURVE_LOWEST) * i / (points - 1);
            double load = Math.max(settings.loads().least(), lower * share);
            if (curveTrials < points
                    && tried.subSet(load - lower * CURVE_APART / 2, load + lower * CURVE_APART / 2)
                            .isEmpty()) {
                return Optional.of(new Step(Kind.CURVE, load, settings.lengths().brief()));
            }
        }
        return Optional.empty();
    }

    /** The bounds of the most demanding goal. */
    private Bounds lowest() {
        return goals.get(0).bounds();
    }

    /**
     * Sets the calibrated maximum of the load generator: no higher load is tried, and reaching this load is not
     * evidence about the cluster. Call before the first step.
     */
    public void generatorMakes(double most) {
        goals.forEach(g -> g.generatorMakes(most));
    }

    /**
     * Skips the closed loop, which would leave other consumers with a backlog of hours. The search begins at this load
     * and doubles it until a trial fails. Call before the first step.
     */
    public void beginAt(double load) {
        pushed = true;
        goals.forEach(g -> g.beginAt(load));
    }

    /** Drops trials that passed above this load for a temporary reason; their loads can be tried again. */
    public void forgetPassesAbove(double load) {
        goals.forEach(g -> g.forgetPassesAbove(load));
    }

    /** Sets the minimum length of future trials, because shorter trials are inconclusive. */
    public void lengthen(double seconds) {
        leastSeconds = Math.max(leastSeconds, seconds);
    }

    /** Receives the outcome of the last step that {@link #next} returned. */
    public void record(Step step, StepOutcome heard) {
        spentSeconds += heard.spentSeconds();
        // The overhead is similar in each trial; the latest trials are more informative than the initial guess.
        overheadSeconds += (heard.spentSeconds() - step.seconds() - overheadSeconds) / 2;
        if (step.kind() == Kind.PUSH) {
            pushed = true;
            goals.forEach(g -> g.startAt(heard.achieved() * START_SHARE));
            goals.stream().filter(g -> g.goal() == Goal.SUSTAINED).forEach(g -> g.suspect(heard.achieved()));
            return;
        }
        tried.add(step.load());
        curveTrials += step.kind() == Kind.CURVE ? 1 : 0;
        boolean passed = Boolean.TRUE.equals(heard.passed().get(goals.get(0).goal()));
        if (step.kind() == Kind.CONFIRM
                && heard.passed().containsKey(goals.get(0).goal())) {
            confirmations++;
            confirmedLoad = passed ? step.load() : Double.NaN;
        }
        goals.forEach(g -> g.record(step, heard));
    }

    public Answer answer() {
        Map<Goal, Bounds> bounds = new EnumMap<>(Goal.class);
        goals.forEach(g -> bounds.put(g.goal(), g.bounds()));
        boolean confirmed = settings.lengths().confirm() == 0 || lowest().lower() == confirmedLoad;
        return new Answer(bounds, next().isPresent() ? null : end(), confirmed);
    }

    /**
     * The reason for the end, from the bounds of the most demanding goal or, if no load met that goal, of the other
     * goal.
     */
    private End end() {
        if (outOfTime && bounding().isPresent()) {
            return End.OUT_OF_TIME;
        }
        Bounds last =
                lowest().hasLower() ? lowest() : goals.get(goals.size() - 1).bounds();
        if (lowest().generatorLimited() || last.generatorLimited()) {
            return End.GENERATOR_LIMITED;
        }
        if (!last.hasLower()) {
            return End.NOTHING_PASSES;
        }
        return last.hasUpper() ? End.FOUND : End.MOST_REACHED;
    }

    /** Estimated seconds until the end of the search. */
    public double etaSeconds() {
        SearchSettings.Lengths lengths = settings.lengths();
        double seconds = pushed ? 0 : lengths.push() + overheadSeconds;
        double brief = lengths.brief() + overheadSeconds;
        for (GoalSearch goal : goals) {
            boolean open = !pushed || goal.next().isPresent();
            seconds += open ? Math.ceil(Math.log(goal.cellsLeft()) / Math.log(2)) * brief : 0;
            seconds += open ? goal.fullTrialsLeft() * (lengths.full() + overheadSeconds) : 0;
        }
        boolean confirms = lengths.confirm() > 0 && !(lowest().lower() == confirmedLoad);
        seconds += confirms ? lengths.confirm() + overheadSeconds : 0;
        seconds += Math.max(0, settings.curvePoints() - curveTrials) * brief;
        return Math.min(seconds, settings.budgetSeconds() - spentSeconds);
    }

    private double seconds(Step step) {
        return step.seconds() + overheadSeconds;
    }
}
