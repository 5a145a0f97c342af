package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.watch.Attempts.Attempt;
import io.plimsoll.watch.Attempts.Outage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Guards when an outage begins and ends, in virtual time. */
class AttemptsTest {
    private static final long MS = 1_000_000;

    private final List<Outage> told = new ArrayList<>();
    private final Attempts attempts = new Attempts(400 * MS, told::add);

    /** An attempt every 100 ms that takes 5 ms. */
    private void goodUntil(long millis) {
        for (long t = 0; t < millis; t += 100) {
            attempts.end(attempts.begin(t * MS), true, (t + 5) * MS);
        }
    }

    @Test
    void outageBeginsWithFirstUnansweredAttempt() {
        goodUntil(1000);
        Attempt first = attempts.begin(1000 * MS);
        attempts.begin(1100 * MS);
        attempts.look(1399 * MS);
        assertThat(told).isEmpty();
        attempts.look(1400 * MS);
        attempts.look(1500 * MS);
        assertThat(told).containsExactly(new Outage(1000 * MS, Long.MAX_VALUE, null));
        attempts.end(first, true, 3000 * MS);
        assertThat(told).hasSize(2).contains(new Outage(1000 * MS, 3000 * MS, null));
        attempts.look(3100 * MS);
        assertThat(told)
                .as("the second one has no answer yet, but not for long")
                .hasSize(2);
    }

    @Test
    void detectsOutageThatEndsBeforeNextLook() {
        goodUntil(1000);
        attempts.end(attempts.begin(1000 * MS), true, 1399 * MS);
        assertThat(told).isEmpty();
        attempts.end(attempts.begin(1500 * MS), true, 1900 * MS);
        assertThat(told)
                .containsExactly(new Outage(1500 * MS, Long.MAX_VALUE, null), new Outage(1500 * MS, 1900 * MS, null));
    }

    @Test
    void steadyLateAnswersAreNoOutage() {
        goodUntil(600);
        Attempt[] under = new Attempt[6];
        for (int t = 0; t < 50; t++) {
            long now = (600 + t * 100) * MS;
            if (t >= 6) {
                attempts.end(under[t % 6], true, now);
            }
            under[t % 6] = attempts.begin(now);
            attempts.look(now);
            if (t < 6) {
                attempts.end(attempts.begin(now), true, now);
            }
        }
        assertThat(told).isEmpty();
    }

    @Test
    void onlyRepeatedFailuresAreAnOutage() {
        goodUntil(1000);
        attempts.end(attempts.begin(1000 * MS), false, 1001 * MS);
        attempts.end(attempts.begin(1100 * MS), true, 1105 * MS);
        attempts.look(1450 * MS);
        assertThat(told).isEmpty();
        for (long t = 1500; t < 2000; t += 100) {
            attempts.end(attempts.begin(t * MS), false, (t + 1) * MS);
        }
        attempts.look(2000 * MS);
        attempts.forget(2200 * MS);
        assertThat(told)
                .containsExactly(new Outage(1500 * MS, Long.MAX_VALUE, null), new Outage(1500 * MS, 2200 * MS, null));
    }

    @Test
    void noOutageWithoutAttempts() {
        goodUntil(100);
        attempts.look(1_000_000 * MS);
        attempts.drop(attempts.begin(1_000_000 * MS));
        attempts.look(2_000_000 * MS);
        assertThat(told).isEmpty();
    }

    @Test
    void firstSuccessMayTakeTenTimesAsLong() {
        attempts.begin(1000 * MS);
        attempts.look(4999 * MS);
        assertThat(told).isEmpty();
        attempts.look(5000 * MS);
        assertThat(told).containsExactly(new Outage(1000 * MS, Long.MAX_VALUE, null));
    }

    @Test
    void firstReportedErrorIsCauseUntilNextSuccess() {
        goodUntil(1000);
        attempts.tell("earlier");
        goodUntil(100);
        Attempt silent = attempts.begin(1000 * MS);
        attempts.look(1400 * MS);
        attempts.tell(null);
        attempts.tell("refused");
        attempts.tell("refused otherwise");
        attempts.end(silent, false, 1500 * MS);
        attempts.end(attempts.begin(2000 * MS), true, 2100 * MS);
        assertThat(told)
                .containsExactly(
                        new Outage(1000 * MS, Long.MAX_VALUE, null),
                        new Outage(1000 * MS, Long.MAX_VALUE, "refused"),
                        new Outage(1000 * MS, 2100 * MS, "refused"));
        attempts.tell("again");
        attempts.begin(3000 * MS);
        attempts.look(3400 * MS);
        assertThat(told).last().isEqualTo(new Outage(3000 * MS, Long.MAX_VALUE, "again"));
    }
}
