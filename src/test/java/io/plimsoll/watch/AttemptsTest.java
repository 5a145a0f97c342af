package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.watch.Attempts.Attempt;
import io.plimsoll.watch.Attempts.Outage;
import org.junit.jupiter.api.Test;

/** Guards when an outage begins and ends, in virtual time. */
class AttemptsTest {
    private static final long MS = 1_000_000;

    private final Attempts attempts = new Attempts(400 * MS);

    /** An attempt every 100 ms that takes 5 ms. */
    private void goodUntil(long millis) {
        for (long t = 0; t < millis; t += 100) {
            Attempt attempt = attempts.begin(t * MS);
            assertThat(attempts.end(attempt, true, (t + 5) * MS)).isEmpty();
        }
    }

    @Test
    void aSilenceIsAnOutageFromTheFirstAttemptThatHadNoAnswer() {
        goodUntil(1000);
        Attempt first = attempts.begin(1000 * MS);
        attempts.begin(1100 * MS);
        assertThat(attempts.look(1399 * MS)).isEmpty();
        assertThat(attempts.look(1400 * MS)).contains(new Outage(1000 * MS, Long.MAX_VALUE));
        assertThat(attempts.look(1500 * MS)).as("told once").isEmpty();
        assertThat(attempts.end(first, true, 3000 * MS)).contains(new Outage(1000 * MS, 3000 * MS));
        assertThat(attempts.look(3100 * MS))
                .as("the second one was answered by nobody, but it is not long")
                .isEmpty();
    }

    @Test
    void answersThatAreLateButKeepComingAreNoOutage() {
        Attempt[] under = new Attempt[6];
        for (int t = 0; t < 50; t++) {
            assertThat(attempts.look(t * 100 * MS)).isEmpty();
            if (t >= 6) {
                assertThat(attempts.end(under[t % 6], true, t * 100 * MS)).isEmpty();
            }
            under[t % 6] = attempts.begin(t * 100 * MS);
            if (t < 6) {
                attempts.end(attempts.begin(t * 100 * MS), true, t * 100 * MS);
            }
        }
    }

    @Test
    void failuresAloneAreAnOutageAndOneOfThemIsNot() {
        goodUntil(1000);
        assertThat(attempts.end(attempts.begin(1000 * MS), false, 1001 * MS)).isEmpty();
        attempts.end(attempts.begin(1100 * MS), true, 1105 * MS);
        assertThat(attempts.look(1450 * MS)).isEmpty();
        for (long t = 1500; t < 2000; t += 100) {
            attempts.end(attempts.begin(t * MS), false, (t + 1) * MS);
        }
        assertThat(attempts.look(2000 * MS)).contains(new Outage(1500 * MS, Long.MAX_VALUE));
        assertThat(attempts.forget(2200 * MS)).contains(new Outage(1500 * MS, 2200 * MS));
    }

    @Test
    void whereNothingIsTriedNothingIsOut() {
        goodUntil(100);
        assertThat(attempts.look(1_000_000 * MS)).isEmpty();
        attempts.drop(attempts.begin(1_000_000 * MS));
        assertThat(attempts.look(2_000_000 * MS)).isEmpty();
    }
}
