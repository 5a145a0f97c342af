package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.AckPulse.Silence;
import org.junit.jupiter.api.Test;

/** In a run of days with faults and sparse partitions, only the silences that faults need are kept. */
class PartitionSilencesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long FIRST = 3_600 * SECOND;
    private static final long SECOND_FAULT = 7_200 * SECOND;
    private static final long END = 86_400 * SECOND;

    @Test
    void keepsFewSilencesWithoutChangingAnswers() {
        PartitionSilences silences = new PartitionSilences();
        for (long at = 0; at < END; at += SECOND) {
            if (at == FIRST || at == SECOND_FAULT) {
                silences.asked(at);
            }
            // It is silent for most of each second, and once for longer.
            long length = at == FIRST + 100 * SECOND ? 5 * SECOND : SECOND * 6 / 10;
            silences.accept(new Silence("orders-0", at, at + length));
        }
        assertThat(silences.size()).isLessThan(600);
        assertThat(silences.between(FIRST, FIRST, SECOND_FAULT))
                .isEqualTo(new FaultResult.Silenced(1, 1, 5.0, 5.0, 105.0, null));
        assertThat(silences.between(FIRST, SECOND_FAULT, END).partitions())
                .as("no longer than before the first")
                .isZero();
    }
}
