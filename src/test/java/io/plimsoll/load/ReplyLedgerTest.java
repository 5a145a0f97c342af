package io.plimsoll.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.Replies.ReplyLedger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records that wait for a reply, and duplicate, unsolicited, or misdirected replies. */
class ReplyLedgerTest {
    private final ReplyLedger ledger = new ReplyLedger(3, new Slice(0, 2));

    private List<Long> waiting() {
        List<Long> numbers = new ArrayList<>();
        ledger.waiting(numbers::add);
        assertThat(ledger.owed()).isEqualTo(numbers.size());
        return numbers;
    }

    @Test
    void recordIsAnsweredOnce() {
        assertThat(ledger.sent(0, 10)).isZero();
        assertThat(ledger.sent(1, 11)).isEqualTo(1);
        assertThat(ledger.sent(0, 12)).isEqualTo(3);
        ledger.written(3, 77);
        assertThat(waiting()).containsExactly(0L, 1L, 3L);
        assertThat(ledger.answered(0)).isEqualTo(10);
        assertThat(ledger.answered(0)).isEqualTo(ReplyLedger.REPEATED);
        assertThat(waiting()).containsExactly(1L, 3L);
        assertThat(ledger.dueNanos(3)).isEqualTo(12);
        assertThat(ledger.place(3)).isEqualTo(77);
        assertThat(ledger.place(1)).isEqualTo(-1);
    }

    @Test
    void detectsRepliesToUnsentRecords() {
        ledger.sent(0, 10);
        assertThat(ledger.answered(3)).isEqualTo(ReplyLedger.UNSENT);
        assertThat(ledger.answered(-1)).isEqualTo(ReplyLedger.UNSENT);
        assertThat(ledger.answered(2)).isEqualTo(ReplyLedger.UNTRACKED);
    }

    @Test
    void failedRecordsAreNotOwedButMayBeAnswered() {
        ledger.sent(0, 10);
        ledger.sent(0, 11);
        ledger.failed(0);
        ledger.refused(0);
        assertThat(waiting()).isEmpty();
        assertThat(ledger.answered(0)).isEqualTo(10);
        assertThat(ledger.answered(0)).isEqualTo(ReplyLedger.REPEATED);
    }

    /** Brokers may be down for hours. */
    @Test
    void forgetsOldFailedRecords() {
        for (long i = 0; i < 300_000; i++) {
            long number = ledger.sent(0, i);
            if (i % 1000 == 0) {
                assertThat(ledger.answered(number)).isEqualTo(i);
            } else {
                ledger.failed(number);
            }
        }
        assertThat(ledger.owed()).isZero();
        assertThat(ledger.answered(3)).as("forgotten").isEqualTo(ReplyLedger.UNTRACKED);
        assertThat(ledger.answered(3L * 299_999)).isEqualTo(299_999);
        assertThat(ledger.answered(3L * 299_999)).isEqualTo(ReplyLedger.REPEATED);
    }

    @Test
    void onlyUnansweredRecordsWait() {
        for (int i = 0; i < 100_000; i++) {
            ledger.sent(0, i);
            if (i % 1000 > 0) {
                assertThat(ledger.answered(3L * i)).isEqualTo(i);
            }
        }
        assertThat(waiting()).hasSize(100).first().isEqualTo(0L);
        assertThat(ledger.answered(3)).isEqualTo(ReplyLedger.REPEATED);
    }
}
