package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.result.GeneratorLimit.Cause;
import io.plimsoll.result.GeneratorLimit.Load;
import io.plimsoll.result.GeneratorLimit.Times;
import io.plimsoll.result.GeneratorLimit.Use;
import org.junit.jupiter.api.Test;

/** The load generator is the limit only if its own lateness or CPU explains the missing or slow records. */
class GeneratorLimitTest {
    private static final Use IDLE = new Use(0.1, 0, 0, null);

    /** 1,000 records/s for 40 s. */
    private static Load load(long missing, long behind) {
        return new Load(40, 40_000, missing, behind);
    }

    private static void assertValid(Load load, Times times, Use use) {
        GeneratorLimit limit = GeneratorLimit.of(load, times, use);
        assertThat(limit.invalid(load)).as(limit.toString()).isFalse();
        assertThat(limit.cause()).isEqualTo(Cause.NONE);
    }

    private static void assertInvalid(Cause cause, Load load, Times times, Use use) {
        GeneratorLimit limit = GeneratorLimit.of(load, times, use);
        assertThat(limit.cause()).isEqualTo(cause);
        assertThat(limit.invalid(load)).as(limit.toString()).isTrue();
    }

    @Test
    void silentBrokerIsNoGeneratorLimit() {
        // 15 % are missing and responses take 6.7 s, including 4.8 ms of generator lateness.
        assertValid(load(6000, 0), new Times(0, 0, 0, 4_800, 0, 6_700_000), IDLE);
        assertThat(GeneratorLimit.of(load(6000, 0), new Times(0, 0, 0, 4_800, 0, 6_700_000), IDLE))
                .isEqualTo(new GeneratorLimit(Cause.NONE, 0.0, 4_800 / 6_700_000.0));
    }

    @Test
    void sendersBlockedByClientAreNoGeneratorLimit() {
        // The buffer was full for 9 s: records due in that time waited 4.5 s, and were not handed over in time.
        double delay = 9 * 9 / 2.0 / 40 * 1e6;
        assertValid(load(10_000, 9_000), new Times(0, 9, 0, delay, 0, delay + 100_000), IDLE);
        // Each synchronous send takes 2 ms, too long for 1,000 records/s: half of the load is never sent.
        assertValid(load(20_000, 20_000), new Times(0, 40, 0, 10e6, 0, 10e6 + 2_000), IDLE);
    }

    @Test
    void unblockedLateSendersAreGeneratorLimit() {
        assertInvalid(Cause.BEHIND, load(6000, 5900), new Times(0, 0, 0, 3_000_000, 0, 3_002_000), IDLE);
        // Thirty seconds behind at the start of the window, and blocked all the time: none of the 50 s is its own.
        assertValid(load(0, 0), new Times(35, 40, 30, 50_000_000, 0, 50_001_000), IDLE);
        assertInvalid(Cause.SLOW, load(0, 0), new Times(35, 0, 30, 50_000_000, 0, 50_001_000), IDLE);
        // For 2 of these 5.9 s there was another reason.
        GeneratorLimit limit = GeneratorLimit.of(load(6000, 5900), new Times(0, 2, 0, 3_000_000, 0, 3_002_000), IDLE);
        assertThat(limit.cause()).isEqualTo(Cause.BEHIND);
        assertThat(limit.missingShare()).isCloseTo(3900 / 6000.0, within(1e-9));
    }

    @Test
    void responseTimesDominatedByGeneratorAreInvalid() {
        assertInvalid(Cause.SLOW, load(0, 0), new Times(0, 0, 0, 40_000, 0, 45_000), IDLE);
        // Even if all records arrived at a high share of the calibrated maximum.
        assertInvalid(Cause.SLOW, load(0, 0), new Times(0, 0, 0, 40_000, 0, 45_000), new Use(0.6, 0, 0, 0.8));
        assertValid(load(0, 0), new Times(0, 0, 0, 20_000, 0, 45_000), IDLE);
        // With a cluster that responds at once, every delay is a large part.
        assertValid(load(0, 0), new Times(0, 0, 0, 300, 0, 400), IDLE);
    }

    @Test
    void briefShortfallIsNoLimit() {
        Load fiveSeconds = new Load(5, 5_000, 100, 100);
        assertThat(GeneratorLimit.of(fiveSeconds, new Times(0, 0, 0, 1_000, 0, 4_000), IDLE)
                        .invalid(fiveSeconds))
                .isFalse();
        Load few = new Load(5, 50, 5, 5);
        assertThat(GeneratorLimit.of(few, new Times(0, 0, 0, 1_000, 0, 4_000), IDLE)
                        .invalid(few))
                .isFalse();
    }

    @Test
    void busyThreadExplainsMissingRecords() {
        Use busy = new Use(0.97, 0, 0, null);
        assertInvalid(Cause.BUSY_THREAD, load(6000, 0), new Times(0, 0, 0, 100, 0, 2_000_000), busy);
        assertValid(load(0, 0), new Times(0, 0, 0, 100, 0, 2_000), busy);
        assertInvalid(Cause.CALIBRATED, load(6000, 0), new Times(0, 0, 0, 100, 0, 2_000_000), new Use(0.6, 0, 0, 0.8));
        GeneratorLimit kept = GeneratorLimit.of(load(0, 0), new Times(0, 0, 0, 100, 0, 2_000), new Use(0.6, 0, 0, 0.8));
        assertThat(kept.cause()).isEqualTo(Cause.CALIBRATED);
        assertThat(kept.invalid(load(0, 0))).isFalse();
    }

    @Test
    void busyThreadLimitsValidClosedLoop() {
        Load closed = new Load(40, 0, 0, 0);
        GeneratorLimit busy = GeneratorLimit.of(closed, new Times(0, 30, 0, 0, 0, 5_000), new Use(0.97, 0, 0, null));
        assertThat(busy).isEqualTo(new GeneratorLimit(Cause.BUSY_THREAD, null, null));
        assertThat(busy.invalid(closed)).isFalse();
        assertThat(GeneratorLimit.of(closed, new Times(0, 30, 0, 0, 0, 5_000), IDLE)
                        .cause())
                .isEqualTo(Cause.NONE);
    }

    @Test
    void stoppedProcessIsLimitDespitePunctualSends() {
        // It is stopped for 80 ms of each 100: records that arrive then, four of five, wait at most that long.
        Use stopped = new Use(0.05, 0, 0.8, null);
        assertInvalid(Cause.SLOW, load(40, 0), new Times(0, 0, 0, 2_000, 64_000, 90_000), stopped);
        // For a broker that takes a second, these are a small part.
        assertValid(load(1_000, 0), new Times(0, 0, 0, 32_000, 64_000, 1_096_000), stopped);
        // On a busy host, responses wait for a core, which explains less than the broker's own time.
        assertValid(load(0, 0), new Times(0, 0, 0, 4_000, 9_000, 49_000), new Use(0.3, 0.4, 0.02, null));
    }

    @Test
    void stoppedTimeDoesNotCountAsBlocked() {
        // A synchronous sender was stopped for four fifths of the time that it seemed to wait for a response.
        Load half = load(20_000, 20_000);
        assertInvalid(Cause.BEHIND, half, new Times(0, 40, 0, 10e6, 32_000, 10e6 + 2_000), new Use(0.05, 0, 0.8, null));
    }

    @Test
    void starvedThreadCountsAsBusy() {
        Use starved = new Use(0.4, 0.57, 0.01, null);
        assertInvalid(Cause.BUSY_THREAD, load(6000, 0), new Times(0, 0, 0, 100, 5_000, 2_000_000), starved);
        Use throttled = new Use(0.2, 0, 0.78, null);
        assertInvalid(Cause.BUSY_THREAD, load(6000, 0), new Times(0, 0, 0, 100, 5_000, 2_000_000), throttled);
        // It was partly idle, so other programs are the reason.
        assertValid(load(6000, 0), new Times(0, 0, 0, 100, 5_000, 2_000_000), new Use(0.4, 0.3, 0.01, null));
    }

    @Test
    void stoppedProcessLimitsClosedLoop() {
        Load closed = new Load(40, 0, 0, 0);
        GeneratorLimit stood = GeneratorLimit.of(closed, new Times(0, 0, 0, 0, 0, 5_000), new Use(0.2, 0, 0.5, null));
        assertThat(stood).isEqualTo(new GeneratorLimit(Cause.STOOD, null, null));
        assertThat(stood.invalid(closed)).isFalse();
        assertThat(GeneratorLimit.of(closed, new Times(0, 0, 0, 0, 0, 5_000), new Use(0.7, 0.27, 0.05, null))
                        .cause())
                .isEqualTo(Cause.NONE);
    }
}
