package io.plimsoll.search;

/**
 * The evidence of the trials at one load about one goal. Durations in seconds, as RFC 9971 adds them up; used by one
 * thread.
 *
 * <p>The classification follows the RFC's appendix, with a goal exceed ratio of one half and a duration sum of three
 * full trials, so that two full trials that agree decide. It is stricter in one case: if any trial at the load, even a
 * short one, disagrees, one side must lead by three full trials. A load with persistent disagreement is
 * <em>contested</em> and not a bound: it lies between the bounds, which are then wider and still contain the true
 * ceiling. In simulations of noisy systems, this is needed for 95 % correct answers.
 */
final class Evidence {
    private static final double EXCEED_RATIO = 0.5;
    private static final int SUM_OF_FULL = 3;
    private static final int AGREEING = 2;
    /** Lead in full trials that a side needs if the other side has any. */
    private static final int LEAD = 3;
    /** A load is contested for good after as many full trials without a decision. */
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

    /** Whether a load passes, as a lower bound does, fails, as an upper one, its trials disagree, or are too few. */
    enum Standing {
        LOWER,
        UPPER,
        CONTESTED,
        OPEN
    }

    Evidence(double fullSeconds) {
        this.fullSeconds = fullSeconds;
    }

    /** @param generatorLimited it failed, because of the load generator */
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

    /** The best estimate: the classification, else the majority of full trials, else the short ones. */
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

    /** Whether most failures at this load are due to the load generator. */
    boolean generatorLimited() {
        return invalid > 0 && invalid >= (shortHigh + fullHigh) / 2;
    }

    /** Full trials that it takes at least to classify the load; 0 if it is classified or contested for good. */
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
