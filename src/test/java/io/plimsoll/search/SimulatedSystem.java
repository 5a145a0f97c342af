package io.plimsoll.search;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A system with known ceilings and random trials: the ceiling of a trial is the true one times noise that decreases
 * with length, times the effect of the system's bad mode.
 */
final class SimulatedSystem {
    private static final double OVERHEAD_SECONDS = 4;

    private final SplittableRandom random;
    private final double knee;
    private final double sloShare;
    private double noise;
    private double drift;
    private double badShare;
    private double guessError;
    private double generator = Double.POSITIVE_INFINITY;
    private double elapsedSeconds;
    private int trials;
    private double testedFrom = Double.NaN;

    /**
     * @param knee highest sustained load, records per second
     * @param sloShare the fraction of it up to which the user's criteria hold
     */
    SimulatedSystem(long seed, double knee, double sloShare) {
        this.random = new SplittableRandom(seed);
        this.knee = knee;
        this.sloShare = sloShare;
    }

    /** @param deviation of the ceiling between trials of ten seconds, relative */
    SimulatedSystem withNoise(double deviation) {
        noise = deviation;
        return this;
    }

    /** @param perSecond growth of the ceiling, relative */
    SimulatedSystem withDrift(double perSecond) {
        drift = perSecond;
        return this;
    }

    /** @param share of trials in which the system has a sixth less capacity */
    SimulatedSystem withBadMode(double share) {
        badShare = share;
        return this;
    }

    /** @param error relative error of a closed loop's throughput, in either direction */
    SimulatedSystem withGuessError(double error) {
        guessError = error;
        return this;
    }

    /** @param most maximum of the load generator */
    SimulatedSystem withGenerator(double most) {
        generator = most;
        return this;
    }

    /**
     * Whether the highest load that more than half of all trials pass is within the bounds. For a drifting ceiling, any
     * ceiling during the trials of the bounds counts.
     */
    boolean isWithin(Goal goal, Bounds bounds) {
        double before = ceiling(goal) * (1 + drift * testedFrom);
        double now = ceiling(goal) * (1 + drift * elapsedSeconds);
        return bounds.lower() <= Math.max(before, now) && bounds.upper() >= Math.min(before, now);
    }

    private double ceiling(Goal goal) {
        return goal == Goal.SUSTAINED ? knee : knee * sloShare;
    }

    StepOutcome trial(Step step) {
        double luck = Math.exp(noise * Math.sqrt(10 / step.seconds()) * gaussian());
        double mode = random.nextDouble() < badShare ? 5 / 6.0 : 1;
        double spent = step.seconds() + OVERHEAD_SECONDS;
        if (step.kind() == Step.Kind.CLASSIFY && Double.isNaN(testedFrom)) {
            testedFrom = elapsedSeconds;
        }
        double now = 1 + drift * (elapsedSeconds + spent / 2);
        elapsedSeconds += spent;
        double most = Math.min(generator, knee * now * luck * mode);
        if (step.kind() == Step.Kind.PUSH) {
            return Searches.outcome(
                    false, Math.min(generator, most * (1 + guessError * (2 * random.nextDouble() - 1))), spent);
        }
        if (step.kind() != Step.Kind.CURVE && step.kind() != Step.Kind.CONFIRM) {
            trials++;
        }
        Map<Goal, Boolean> passed = new EnumMap<>(Goal.class);
        for (Goal goal : Goal.values()) {
            passed.put(goal, step.load() <= Math.min(generator, ceiling(goal) * now * luck * mode));
        }
        boolean generatorLimited = step.load() > generator;
        return new StepOutcome(passed, generatorLimited, Math.min(step.load(), most), spent);
    }

    private double gaussian() {
        // Twelve uniform numbers: a bell of deviation 1 without a tail beyond 6.
        double sum = -6;
        for (int i = 0; i < 12; i++) {
            sum += random.nextDouble();
        }
        return sum;
    }

    /** Number of yes/no trials made to find the bounds. */
    int trials() {
        return trials;
    }

    Answer search(SearchSettings settings) {
        CeilingSearch search = new CeilingSearch(settings);
        int steps = 0;
        for (var step = search.next(); step.isPresent(); step = search.next()) {
            if (++steps > 500) {
                throw new AssertionError("no end after 500 trials");
            }
            search.record(step.get(), trial(step.get()));
        }
        return search.answer();
    }
}
