package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.plimsoll.result.GroupPace.Look;
import io.plimsoll.result.GroupPace.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A group that receives less than is produced never passes, in a window of any length; the ground truth is a simulated
 * group.
 */
class GroupPaceTest {
    private static final double RATE = 3_000;
    private static final int WARMUP = 3;

    /**
     * A group with a maximum rate, in batches.
     *
     * @param capacity records per second
     * @param batchSeconds interval at which it commits; 0: at once
     * @param jitterSeconds deviation of a sample from its time
     */
    private record Group(double capacity, double batchSeconds, double jitterSeconds) {
        private double received(double at) {
            double until = batchSeconds == 0 ? at : Math.floor(at / batchSeconds) * batchSeconds;
            return Math.min(RATE, capacity) * Math.max(0, until);
        }

        private List<Look> looks(int warmup, int seconds) {
            Random random = new Random(17);
            List<Look> looks = new ArrayList<>();
            for (int i = 1; i <= warmup + seconds; i++) {
                double late = jitterSeconds * (random.nextDouble() - 0.5);
                double lag = Math.max(0, RATE * i - received(i + late));
                looks.add(new Look(i, i > warmup, Math.round(lag), least(i, late), RATE * i));
            }
            return looks;
        }

        /** As sampled ten times in the second. */
        private double least(int second, double late) {
            double least = Double.MAX_VALUE;
            for (int i = 0; i < 10; i++) {
                double at = second - i / 10.0;
                least = Math.min(least, Math.max(0, RATE * at - received(at + late)));
            }
            return Math.round(least);
        }

        private GroupPace pace(int seconds) {
            return GroupPace.of(looks(WARMUP, seconds), Source.RECEIVED, false);
        }
    }

    /** Four values are too few for a significant trend, and this is not a pass. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 10, 30})
    void groupReceivingNothingFallsBehindInAnyWindow(int seconds) {
        GroupPace pace = new Group(0, 0, 0).pace(seconds);
        assertThat(pace.outcome()).isEqualTo(GroupPace.FELL_BEHIND);
        assertThat(pace.receivedPerSecond()).isZero();
        assertThat(pace.behindPerSecond()).isCloseTo(RATE, withPercentage(1));
    }

    /** A backlog of 20 s of load that shrinks evenly, with samples that are slightly early or late. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1})
    void groupDrainingAnOldBacklogKeepsUp(double jitterSeconds) {
        Random random = new Random(5);
        List<Look> looks = new ArrayList<>();
        for (int i = 1; i <= WARMUP + 10; i++) {
            double at = i + jitterSeconds * (random.nextDouble() - 0.5);
            double lag = 20 * RATE - RATE * at;
            looks.add(new Look(i, i > WARMUP, lag, lag, RATE * i));
        }
        GroupPace pace = GroupPace.of(looks, Source.RECEIVED, false);
        assertThat(pace.outcome()).isEqualTo(GroupPace.KEPT_UP);
        assertThat(pace.receivedPerSecond()).isCloseTo(2 * RATE, withPercentage(3));
    }

    /**
     * A lag that drops all at once is the rhythm of a group, and a window that ends there does not show the next rise.
     */
    @Test
    void singleDropOfLagIsUndecided() {
        List<Look> looks = new ArrayList<>();
        for (int i = 1; i <= WARMUP + 10; i++) {
            double lag = i < WARMUP + 8 ? 20 * RATE : 0;
            looks.add(new Look(i, i > WARMUP, lag, lag, RATE * i));
        }
        assertThat(GroupPace.of(looks, Source.COMMITTED, false).outcome()).isEqualTo(GroupPace.UNDECIDED);
    }

    /** Below a second of load it can be chance, and is not a pass. */
    @ParameterizedTest
    @CsvSource({
        "2, 0.9, undecided", "2, 0.3, fellBehind", "4, 0.97, undecided", "4, 0.8, undecided", "4, 0.7, fellBehind",
        "5, 0.97, undecided", "8, 0.98, undecided", "8, 0.85, fellBehind", "10, 0.97, undecided", "30, 0.95, fellBehind"
    })
    void slightlySlowGroupNeverPasses(int seconds, double share, String outcome) {
        GroupPace pace = new Group(share * RATE, 0, 0).pace(seconds);
        assertThat(pace.outcome()).isEqualTo(outcome);
        assertThat(pace.receivedPerSecond()).isCloseTo(share * RATE, withPercentage(1));
        if (pace.isUndecided()) {
            assertThat(pace.decidableSeconds()).isLessThanOrEqualTo(20.5);
            pace = new Group(share * RATE, 0, 0).pace((int) Math.ceil(1.1 * pace.decidableSeconds()));
            assertThat(pace.isUndecided()).isFalse();
        }
        if (share < 0.95) {
            assertThat(pace.outcome()).isEqualTo(GroupPace.FELL_BEHIND);
            assertThat(pace.behindPerSecond()).isCloseTo((1 - share) * RATE, withPercentage(5));
        }
    }

    /** Producers fill one partition of six for half a second: three members keep up with 65 % of their capacity. */
    @ParameterizedTest
    @ValueSource(ints = {4, 8, 20, 30})
    void groupWithMembersBusyInTurnRarelyFallsBehind(int seconds) {
        int fellBehind = 0;
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            double[] queues = new double[3];
            List<Look> looks = new ArrayList<>();
            int busy = 0;
            for (int tenth = 1; tenth <= 10 * (WARMUP + seconds); tenth++) {
                busy = tenth % 5 == 1 ? random.nextInt(3) : busy;
                queues[busy] += RATE / 10;
                for (int m = 0; m < 3; m++) {
                    queues[m] = Math.max(0, queues[m] - RATE / 30 / 0.65);
                }
                if (tenth % 10 == 0) {
                    double lag = queues[0] + queues[1] + queues[2];
                    looks.add(new Look(tenth / 10.0, tenth > 10 * WARMUP, lag, lag, RATE * tenth / 10));
                }
            }
            fellBehind += GroupPace.of(looks, Source.RECEIVED, false).isBehind() ? 1 : 0;
        }
        assertThat(fellBehind).isLessThanOrEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 5, 8, 10, 30, 600})
    void fastGroupKeepsUpWithAnyFetches(int seconds) {
        assertThat(new Group(1.01 * RATE, 0, 0.01).pace(seconds).outcome()).isEqualTo(GroupPace.KEPT_UP);
        assertThat(new Group(10 * RATE, 0.1, 0.05).pace(seconds).outcome()).isEqualTo(GroupPace.KEPT_UP);
    }

    /** Batches of 0.8 s, sampled each second, create a lag that rises for four seconds in a row. */
    @ParameterizedTest
    @ValueSource(doubles = {0.35, 0.8, 1.3, 2.4})
    void recordsInFlightNeitherFakeNorHideFallingBehind(double batchSeconds) {
        for (int seconds : new int[] {4, 5, 8, 10, 20, 40}) {
            GroupPace fast = new Group(10 * RATE, batchSeconds, 0.02).pace(seconds);
            GroupPace slow = new Group(0.85 * RATE, batchSeconds, 0.02).pace(seconds);
            assertThat(fast.outcome()).as("%d s, %s", seconds, fast).isNotEqualTo(GroupPace.FELL_BEHIND);
            assertThat(slow.outcome()).as("%d s, %s", seconds, slow).isNotEqualTo(GroupPace.KEPT_UP);
            if (fast.isUndecided()) {
                int longer = (int) Math.ceil(1.1 * fast.decidableSeconds());
                assertThat(new Group(10 * RATE, batchSeconds, 0.02).pace(longer).outcome())
                        .as("%d s instead of %d", longer, seconds)
                        .isEqualTo(GroupPace.KEPT_UP);
            }
        }
    }

    /**
     * In any eleven seconds, at most ten times the quota is received: in a short window any load seems to be carried,
     * and over the whole load none above the quota.
     */
    @ParameterizedTest
    @ValueSource(doubles = {1.05, 1.1, 1.3, 2, 10})
    void judgesThrottledGroupOverTheWholeLoad(double load) {
        double quota = RATE / load;
        List<Look> looks = new ArrayList<>();
        List<Double> received = new ArrayList<>();
        double sum = 0;
        for (int i = 0; i < 16; i++) {
            double used = received.stream()
                    .skip(Math.max(0, i - 10))
                    .mapToDouble(r -> r)
                    .sum();
            double takes = Math.min(RATE * (i + 1) - sum, Math.max(0, 10 * quota - used));
            received.add(takes);
            sum += takes;
            looks.add(new Look(i + 1, i >= 12, RATE * (i + 1) - sum, RATE * (i + 1) - sum, RATE * (i + 1)));
        }
        GroupPace pace = GroupPace.of(looks, Source.RECEIVED, true);
        assertThat(pace.outcome()).isEqualTo(GroupPace.FELL_BEHIND);
        List<Look> within = looks.stream()
                .map(l -> new Look(l.at(), l.measured(), 0, 0, l.produced()))
                .toList();
        assertThat(GroupPace.of(within, Source.RECEIVED, true).outcome()).isEqualTo(GroupPace.KEPT_UP);
    }

    /** The trend of five values does not show that no record arrived in the last second; the lag at the end does. */
    @Test
    void groupStoppingAtTheEndOfAWindowDoesNotPass() {
        List<Look> looks = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            looks.add(new Look(i, i > 1, i == 5 ? RATE : 0, 0, RATE * i));
        }
        for (boolean throttled : new boolean[] {false, true}) {
            GroupPace pace = GroupPace.of(looks, Source.RECEIVED, throttled);
            assertThat(pace.isUndecided())
                    .as("throttled %s: %s", throttled, pace)
                    .isTrue();
            assertThat(pace.decidableSeconds()).isGreaterThan(4);
        }
    }

    /** The eleven-second allowance of a quota can carry any load for four seconds. */
    @Test
    void throttledGroupPassesOnlyAfterTheQuotaWindow() {
        List<Look> looks = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            looks.add(new Look(i, i > 1, 0, 0, RATE * i));
            String expected = i >= 11 ? GroupPace.KEPT_UP : GroupPace.UNDECIDED;
            if (i > 2) {
                assertThat(GroupPace.of(looks, Source.RECEIVED, true).outcome())
                        .as("%d s", i)
                        .isEqualTo(expected);
                assertThat(GroupPace.of(looks, Source.RECEIVED, false).outcome())
                        .as("%d s", i)
                        .isEqualTo(GroupPace.KEPT_UP);
            }
        }
    }

    @Test
    void unknownLagIsUndecided() {
        assertThat(GroupPace.of(List.of(), Source.RECEIVED, false)).isEqualTo(GroupPace.UNKNOWN);
        assertThat(GroupPace.UNKNOWN.isUndecided()).isTrue();
        assertThat(GroupPace.UNKNOWN.decidableSeconds()).isNull();
    }

    @Test
    void windowWithTooFewSamplesIsTooShort() {
        Look warmup = new Look(1, false, 0, 0, RATE);
        for (List<Look> few : List.of(List.of(warmup), List.of(new Look(1, true, 0, 0, RATE)))) {
            GroupPace pace = GroupPace.of(few, Source.RECEIVED, false);
            assertThat(pace.isUndecided()).isTrue();
            assertThat(pace.decidableSeconds()).isGreaterThan(2);
        }
    }

    @Test
    void groupDrainingABacklogKeepsUp() {
        List<Look> looks = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            looks.add(new Look(i, i > 3, 50_000 - 2_000 * i, 50_000 - 2_000 * i, RATE * i));
        }
        GroupPace pace = GroupPace.of(looks, Source.RECEIVED, false);
        assertThat(pace.isBehind()).isFalse();
        assertThat(pace.receivedPerSecond()).isCloseTo(RATE + 2_000, withPercentage(0.1));
    }

    /** A few records at a low rate are in flight, however large a share of all records they are. */
    @Test
    void toleratesFewRecordsInFlightAtLowRates() {
        List<Look> looks = new ArrayList<>();
        for (int i = 1; i <= 7; i++) {
            looks.add(new Look(i, i > 3, i == 7 ? 4 : i % 2, i % 2, 10 * i));
        }
        assertThat(GroupPace.of(looks, Source.RECEIVED, false).isBehind()).isFalse();
    }
}
