package io.plimsoll.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.search.Answer.End;
import io.plimsoll.search.SearchSettings.Lengths;
import io.plimsoll.search.SearchSettings.Loads;
import io.plimsoll.search.Step.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** A search requests the trials that its answer needs, and ends with bounds that they support. */
class CeilingSearchTest {
    private static final SearchSettings SETTINGS = Searches.SETTINGS;
    private static final double NONE = Double.POSITIVE_INFINITY;
    private static final int MOST = 300;

    private final List<Step> steps = new ArrayList<>();

    private Answer search(SearchSettings settings, Function<Step, StepOutcome> system) {
        CeilingSearch search = new CeilingSearch(settings);
        for (var step = search.next(); step.isPresent(); step = search.next()) {
            assertThat(search.next()).as("asking twice").isEqualTo(step);
            assertThat(steps.size()).isLessThan(MOST);
            steps.add(step.get());
            search.record(step.get(), system.apply(step.get()));
        }
        return search.answer();
    }

    /** Reached in a closed loop: the ceiling. */
    private static Function<Step, StepOutcome> exact(double ceiling) {
        return step -> Searches.outcome(step.load() <= ceiling, Math.min(step.load(), ceiling), step.seconds() + 3);
    }

    /** Carries 10,000, and 700 of these within the criterion. */
    private static StepOutcome late(Step step, boolean generatorLimited) {
        return new StepOutcome(
                Map.of(Goal.SUSTAINED, step.load() <= 10_000, Goal.WITHIN_SLO, step.load() <= 700),
                generatorLimited,
                Math.min(step.load(), 10_000),
                step.seconds() + 3);
    }

    private List<Step> of(Kind kind) {
        return steps.stream().filter(s -> s.kind() == kind).toList();
    }

    @Property(tries = 500)
    void boundsExactSystemWithinGoalWidthForAnyGuess(
            @ForAll @DoubleRange(min = 2, max = 1e7) double ceiling,
            @ForAll @DoubleRange(min = 0.05, max = 20) double guess,
            @ForAll @DoubleRange(min = 0.01, max = 0.3) double width) {
        steps.clear();
        Function<Step, StepOutcome> system = exact(ceiling);
        Bounds bounds = search(
                        Searches.settings(EnumSet.of(Goal.SUSTAINED), width, 3),
                        step -> step.kind() == Kind.PUSH
                                ? Searches.outcome(false, ceiling * guess, 10)
                                : system.apply(step))
                .bounds()
                .get(Goal.SUSTAINED);
        assertThat(bounds.lower()).isLessThanOrEqualTo(ceiling);
        assertThat(bounds.upper()).isGreaterThan(ceiling);
        assertThat((bounds.upper() - bounds.lower()) / bounds.upper()).isLessThanOrEqualTo(width + 1e-6);
        assertThat(bounds.classified()).isTrue();
    }

    @Test
    void runsStepsFromPushToCurveInOrder() {
        Answer answer = search(SETTINGS, exact(10_000));
        assertThat(steps.stream().map(Step::kind).distinct())
                .containsExactly(Kind.PUSH, Kind.BRACKET, Kind.CLASSIFY, Kind.CONFIRM, Kind.CURVE);
        assertThat(of(Kind.PUSH).get(0).load()).isInfinite();
        assertThat(steps.get(1).load()).as("half of what the push reached").isEqualTo(5000);
        assertThat(steps.get(2).load()).as("just below the guess").isBetween(9500.0, 10_000.0);
        assertThat(steps.get(3).load()).as("just above the guess").isBetween(10_000.0, 10_500.0);
        Bounds bounds = answer.bounds().get(Goal.SUSTAINED);
        assertThat(of(Kind.CLASSIFY).stream().map(Step::load))
                .as("twice each, the lower load first")
                .containsExactly(bounds.lower(), bounds.lower(), bounds.upper(), bounds.upper());
        assertThat(of(Kind.CONFIRM)).containsExactly(new Step(Kind.CONFIRM, bounds.lower(), 20));
        assertThat(of(Kind.CURVE)).allMatch(s -> s.load() < 0.95 * bounds.lower());
        assertThat(answer.confirmed()).isTrue();
        assertThat(answer.end()).isEqualTo(End.FOUND);
    }

    @Test
    void findsMuchLowerSloBoundByHalving() {
        SearchSettings both = Searches.settings(EnumSet.allOf(Goal.class), SearchSettings.WIDTH, 3);
        Answer answer = search(both, step -> late(step, false));
        assertThat(answer.bounds().get(Goal.SUSTAINED).lower()).isCloseTo(10_000, within(500.0));
        assertThat(answer.bounds().get(Goal.WITHIN_SLO).lower()).isBetween(665.0, 700.0);
        assertThat(of(Kind.CONFIRM).get(0).load())
                .isEqualTo(answer.bounds().get(Goal.WITHIN_SLO).lower());
    }

    /** A carried load that misses the criterion because of the generator is not a bound of the cluster. */
    @Test
    void sloMissedDueToGeneratorIsNoAnswer() {
        SearchSettings both = Searches.settings(EnumSet.allOf(Goal.class), SearchSettings.WIDTH, 3);
        Answer answer = search(both, step -> late(step, step.load() > 700 && step.load() <= 10_000));
        assertThat(answer.end()).isEqualTo(End.GENERATOR_LIMITED);
        assertThat(answer.bounds().get(Goal.SUSTAINED).generatorLimited()).isFalse();
    }

    /** The generator is the limit of the sustained load only, far above the criterion. */
    @Test
    void generatorLimitAboveSloBoundsDoesNotSpoilThem() {
        SearchSettings both = Searches.settings(EnumSet.allOf(Goal.class), SearchSettings.WIDTH, 3);
        Answer answer = search(both, step -> late(step, step.load() > 10_000));
        assertThat(answer.end()).isEqualTo(End.FOUND);
        assertThat(answer.bounds().get(Goal.SUSTAINED).generatorLimited()).isTrue();
        assertThat(answer.bounds().get(Goal.WITHIN_SLO).generatorLimited()).isFalse();
    }

    /** The highest load is sustained, and a lower load is the highest within the criterion. */
    @Test
    void sloBoundsBelowRequestedMaximumAreFound() {
        SearchSettings both = Searches.settings(EnumSet.allOf(Goal.class), SearchSettings.WIDTH, 3);
        Answer answer = search(both.withLoads(new Loads(1, 8000, NONE)), step -> late(step, false));
        assertThat(answer.end()).isEqualTo(End.FOUND);
        assertThat(answer.bounds().get(Goal.SUSTAINED).hasUpper()).isFalse();
    }

    /** The only load allowed passes every second time. */
    @Test
    void endsIfTrialsContradictEachOtherAtTheOnlyLoad() {
        int[] trials = {0};
        Answer answer = search(
                SETTINGS.withLoads(new Loads(8000, 8000, NONE)),
                step -> Searches.outcome(trials[0]++ % 2 == 1, 8000, step.seconds() + 3));
        Bounds bounds = answer.bounds().get(Goal.SUSTAINED);
        assertThat(answer.end()).isEqualTo(End.NOTHING_PASSES);
        assertThat(bounds.hasLower()).isFalse();
        assertThat(bounds.upper()).isEqualTo(8000);
    }

    /** Trials at the highest load contradict each other, and half of it passes. */
    @Test
    void searchesBelowContestedHighestLoad() {
        int[] trials = {0};
        Answer answer = search(SETTINGS.withLoads(new Loads(1, 8000, NONE)), step -> {
            int trial = trials[0]++;
            boolean passed = step.load() < 8000 || trial == 1 || trial % 2 == 0;
            return Searches.outcome(passed, 20_000, step.seconds() + 3);
        });
        assertThat(answer.bounds().get(Goal.SUSTAINED).lower()).isBetween(7000.0, 7999.0);
    }

    @Test
    void reachingRequestedMaximumIsAnAnswer() {
        Answer answer = search(SETTINGS.withLoads(new Loads(1, 8000, NONE)), exact(10_000));
        Bounds bounds = answer.bounds().get(Goal.SUSTAINED);
        assertThat(answer.end()).isEqualTo(End.MOST_REACHED);
        assertThat(bounds.lower()).isEqualTo(8000);
        assertThat(bounds.hasUpper()).isFalse();
        assertThat(bounds.classified()).isTrue();
        assertThat(steps).allMatch(s -> s.load() <= 8000);
    }

    /**
     * A load at the end of the range that passes every other time is not carried, and a higher load cannot be the upper
     * bound.
     */
    @Test
    void flakyLoadAtEndOfRangeIsNotSustained() {
        for (Loads loads : List.of(new Loads(1, 8000, NONE), new Loads(1, NONE, 8000))) {
            steps.clear();
            int[] trials = {0};
            Answer answer = search(
                    SETTINGS.withLoads(loads),
                    step -> Searches.outcome(
                            step.load() < 8000 || ++trials[0] % 2 == 0,
                            Math.min(step.load(), 8000),
                            step.seconds() + 3));
            Bounds bounds = answer.bounds().get(Goal.SUSTAINED);
            assertThat(answer.end()).isEqualTo(End.FOUND);
            assertThat(bounds.lower()).isBetween(7500.0, 7999.0);
            assertThat(bounds.upper()).isEqualTo(8000);
            assertThat(bounds.classified()).isTrue();
            assertThat(bounds.generatorLimited()).isFalse();
        }
    }

    @Test
    void failingAtMinimumLoadIsAnAnswer() {
        Answer answer = search(SETTINGS.withLoads(new Loads(100, NONE, NONE)), exact(50));
        assertThat(answer.end()).isEqualTo(End.NOTHING_PASSES);
        assertThat(answer.bounds().get(Goal.SUSTAINED).hasLower()).isFalse();
        assertThat(answer.bounds().get(Goal.SUSTAINED).upper()).isEqualTo(100);
    }

    @Test
    void generatorFailingFirstIsNoAnswer() {
        Answer answer = search(
                SETTINGS,
                step -> new StepOutcome(
                        Map.of(Goal.SUSTAINED, step.load() <= 5000),
                        step.load() > 5000,
                        Math.min(step.load(), 5000),
                        step.seconds() + 3));
        assertThat(answer.end()).isEqualTo(End.GENERATOR_LIMITED);
        assertThat(answer.bounds().get(Goal.SUSTAINED).lower()).isBetween(4700.0, 5000.0);
        assertThat(answer.bounds().get(Goal.SUSTAINED).generatorLimited()).isTrue();
    }

    @Test
    void calibratedMaximumIsNeitherExceededNorAnAnswer() {
        Answer answer = search(SETTINGS.withLoads(new Loads(1, NONE, 6000)), exact(10_000));
        assertThat(answer.end()).isEqualTo(End.GENERATOR_LIMITED);
        assertThat(answer.bounds().get(Goal.SUSTAINED).lower()).isEqualTo(6000);
        assertThat(steps).allMatch(s -> s.kind() == Kind.PUSH || s.load() <= 6000);
    }

    @Test
    void respectsCalibrationKnownBeforeFirstLoad() {
        CeilingSearch search = new CeilingSearch(SETTINGS);
        Function<Step, StepOutcome> system = exact(10_000);
        search.generatorMakes(6000);
        for (var step = search.next(); step.isPresent(); step = search.next()) {
            assertThat(step.get().kind() == Kind.PUSH || step.get().load() <= 6000)
                    .as(step.get().toString())
                    .isTrue();
            search.record(step.get(), system.apply(step.get()));
        }
        assertThat(search.answer().end()).isEqualTo(End.GENERATOR_LIMITED);
        assertThat(search.answer().bounds().get(Goal.SUSTAINED).lower()).isEqualTo(6000);
    }

    /** A quota of 10,000: unlimited for ten seconds, throttled afterward. */
    @Test
    void forgetsPassesBeforeQuotaTookEffect() {
        CeilingSearch search = new CeilingSearch(SETTINGS);
        boolean throttled = false;
        int trials = 0;
        for (var step = search.next(); step.isPresent(); step = search.next()) {
            double load = step.get().load();
            boolean push = step.get().kind() == Kind.PUSH;
            boolean carried = load <= (throttled || step.get().seconds() >= 10 ? 10_000 : 14_000);
            if (!push && !carried && !throttled) {
                throttled = true;
                search.forgetPassesAbove(8_000);
            }
            double achieved = push ? 5_000 : Math.min(load, 10_000);
            search.record(
                    step.get(),
                    Searches.outcome(!push && carried, achieved, step.get().seconds() + 3));
            assertThat(++trials).isLessThan(100);
        }
        Bounds bounds = search.answer().bounds().get(Goal.SUSTAINED);
        assertThat(search.answer().end()).isEqualTo(End.FOUND);
        assertThat(bounds.lower()).isBetween(9_400.0, 10_000.0);
        assertThat(bounds.upper()).isBetween(10_000.0, 10_600.0);
        assertThat(bounds.irregular()).isFalse();
    }

    @Test
    void singleContradictingTrialMovesNoBound() {
        double[] unlucky = {1};
        Function<Step, StepOutcome> system = exact(10_000);
        Answer answer = search(SETTINGS, step -> {
            boolean fails = step.kind() == Kind.CLASSIFY && step.load() <= 10_000 && unlucky[0]-- > 0;
            return fails ? Searches.outcome(false, step.load() * 0.9, step.seconds() + 3) : system.apply(step);
        });
        Bounds bounds = answer.bounds().get(Goal.SUSTAINED);
        assertThat(bounds.lower()).isLessThanOrEqualTo(10_000);
        assertThat(bounds.upper()).isGreaterThan(10_000).isLessThan(10_600);
    }

    @Test
    void failedConfirmationReducesLowerBound() {
        Function<Step, StepOutcome> system = exact(10_000);
        Answer answer = search(
                SETTINGS,
                step -> (step.kind() == Kind.CONFIRM && step.load() > 9600)
                                || (step.seconds() >= 12
                                        && step.load() > 9600
                                        && !of(Kind.CONFIRM).isEmpty())
                        ? Searches.outcome(false, step.load() * 0.97, step.seconds() + 3)
                        : system.apply(step));
        assertThat(of(Kind.CONFIRM)).hasSizeGreaterThan(1);
        assertThat(answer.bounds().get(Goal.SUSTAINED).lower()).isLessThanOrEqualTo(9600);
        assertThat(answer.confirmed()).isTrue();
    }

    @Test
    void failureAtLowerLoadIsIrregular() {
        // Between 2000 and 4000 a resonance occurs, which only the trials for the curve encounter.
        Function<Step, StepOutcome> system = step -> Searches.outcome(
                step.load() <= 10_000 && (step.load() < 2000 || step.load() > 4000),
                Math.min(step.load(), 10_000),
                step.seconds() + 3);
        Bounds bounds = search(SETTINGS, system).bounds().get(Goal.SUSTAINED);
        assertThat(of(Kind.CURVE)).anyMatch(s -> s.load() > 2000 && s.load() < 4000);
        assertThat(bounds.irregular()).isTrue();
        assertThat(bounds.lower()).isBetween(9500.0, 10_000.0);

        steps.clear();
        assertThat(search(SETTINGS, exact(10_000)).bounds().get(Goal.SUSTAINED).irregular())
                .isFalse();
    }

    @Test
    void keepsBudgetAndReportsBoundsSoFar() {
        Answer answer =
                search(Searches.settings(SETTINGS.goals(), SETTINGS.width(), SETTINGS.lengths(), 3, 60), exact(10_000));
        double spent = steps.stream().mapToDouble(s -> s.seconds() + 3).sum();
        assertThat(spent).isLessThanOrEqualTo(60);
        assertThat(answer.end()).isEqualTo(End.OUT_OF_TIME);
        Bounds bounds = answer.bounds().get(Goal.SUSTAINED);
        assertThat(bounds.classified()).isFalse();
        assertThat(bounds.lower()).isLessThanOrEqualTo(10_000);
        assertThat(bounds.upper()).isGreaterThan(10_000);
    }

    @Test
    void remainingTimeCoversRemainingTrials() {
        SearchSettings settings =
                Searches.settings(SETTINGS.goals(), SETTINGS.width(), new Lengths(10, 5, 10, 20, 3), 0, NONE);
        CeilingSearch search = new CeilingSearch(settings);
        Function<Step, StepOutcome> system = exact(10_000);
        List<Double> etas = new ArrayList<>();
        for (var step = search.next(); step.isPresent(); step = search.next()) {
            etas.add(search.etaSeconds());
            search.record(step.get(), system.apply(step.get()));
        }
        // Two full trials at each bound and the confirmation, each with its overhead.
        assertThat(etas.get(etas.size() - 5)).isCloseTo(4 * 13 + 23, within(0.1));
        assertThat(etas.get(etas.size() - 1)).isCloseTo(23, within(0.1));
        assertThat(search.etaSeconds()).isZero();
    }

    @Test
    void remainingTimeAssumesHalvedGapPerTrial() {
        SearchSettings settings =
                Searches.settings(SETTINGS.goals(), SETTINGS.width(), new Lengths(10, 5, 10, 0, 3), 0, NONE);
        CeilingSearch search = new CeilingSearch(settings);
        search.record(search.next().orElseThrow(), Searches.outcome(false, 16_000, 13));
        search.record(new Step(Kind.BRACKET, 4000, 5), Searches.outcome(true, 4000, 8));
        search.record(new Step(Kind.BRACKET, 8000, 5), Searches.outcome(false, 6000, 8));
        // A ratio of two is 13.5 goal widths, which four bits distinguish.
        assertThat(search.etaSeconds()).isCloseTo(4 * 8 + 4 * 13, within(0.1));
    }
}
