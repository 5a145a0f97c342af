package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.watch.PartitionAudit.Counts;
import org.junit.jupiter.api.Test;

/** Guards that planted anomalies in a log are found exactly, and no other anomalies. */
class PartitionAuditTest {
    private final PartitionAudit audit = new PartitionAudit(1000);

    private void written(int from, int to) {
        for (int i = from; i < to; i++) {
            audit.acknowledged(1000 + i, i);
        }
    }

    private void read(int from, int to) {
        for (int i = from; i < to; i++) {
            audit.read(1000 + i, i);
        }
    }

    /** The log was confirmed to be the same one. */
    private long lost() {
        audit.judge(audit.missing());
        return audit.counts().lost();
    }

    @Test
    void acceptsReadAndAcknowledgmentInAnyOrder() {
        written(0, 50);
        read(0, 50);
        read(50, 100);
        written(50, 100);
        assertThat(audit.counts()).isEqualTo(new Counts(100, 100, 0, 0, 0, 0, 0));
        assertThat(audit.waiting()).isZero();
    }

    @Test
    void skippedOrReplacedRecordsAreLost() {
        written(0, 10);
        read(0, 3);
        audit.read(1005, 5);
        assertThat(lost()).as("offsets 1003 and 1004 were passed").isEqualTo(2);
        audit.read(1006, 600);
        assertThat(lost()).isEqualTo(3);
        assertThat(audit.counts()).isEqualTo(new Counts(10, 4, 3, 0, 0, 0, 0));
        audit.acknowledged(1004, 4);
        assertThat(lost()).as("acknowledged after it was passed").isEqualTo(4);
    }

    @Test
    void distinguishesDuplicatesFromDisorder() {
        written(0, 10);
        read(0, 5);
        audit.read(1005, 3);
        audit.read(1006, 8);
        audit.read(1007, 7);
        assertThat(audit.counts().duplicated()).isEqualTo(1);
        assertThat(audit.counts().disordered()).isEqualTo(1);
    }

    @Test
    void expiredRecordsAreUnknownAndTruncatedOnesLost() {
        written(0, 100);
        read(0, 40);
        audit.deletedBefore(1050);
        assertThat(audit.counts()).isEqualTo(new Counts(100, 40, 0, 0, 0, 10, 0));
        read(50, 70);
        audit.truncatedTo(1060);
        assertThat(lost()).as("ten that had been read and thirty that had not").isEqualTo(40);
        assertThat(audit.counts().lostAfterRead()).isEqualTo(10);
        Counts counts = audit.counts();
        assertThat(counts.confirmed() - counts.lostAfterRead() + counts.lost() + counts.unknown() + audit.waiting())
                .as("what was acknowledged is one of these")
                .isEqualTo(counts.acknowledged());
        assertThat(audit.position()).isEqualTo(1060);
    }

    @Test
    void nextProcessContinuesFromSavedState() {
        written(0, 20);
        read(0, 10);
        PartitionAudit next = new PartitionAudit(audit.save());
        for (int i = 10; i < 20; i++) {
            next.read(1000 + i, i);
        }
        next.read(1020, 100_020);
        next.acknowledged(1020, 100_020);
        assertThat(next.counts()).isEqualTo(new Counts(21, 21, 0, 0, 0, 0, 0));
    }

    @Test
    void missingRecordsAreLostOnlyInSameLog() {
        written(0, 10);
        read(0, 3);
        audit.read(1005, 5);
        assertThat(audit.counts().lost()).isZero();
        assertThat(audit.waiting()).as("two missing, four to come").isEqualTo(6);
        PartitionAudit next = new PartitionAudit(audit.save());
        next.judge(1);
        assertThat(next.counts()).isEqualTo(new Counts(10, 4, 1, 0, 0, 0, 0));
        assertThat(next.waiting()).isEqualTo(5);
    }

    /** Reads from the new log before it is known to be another one, from an offset beyond its end or in its middle. */
    @Test
    void replacedLogCausesNoLoss() {
        written(0, 10);
        read(0, 7);
        audit.acknowledged(2, 10);
        audit.truncatedTo(5);
        audit.read(5, 13);
        PartitionAudit next = audit.restarted(28);
        assertThat(next.counts().lost()).isZero();
        assertThat(next.counts().confirmed()).isEqualTo(7);
        assertThat(next.waiting()).isZero();
        for (int i = 0; i < 20; i++) {
            next.read(i, 8 + i);
            next.acknowledged(i, 8 + i);
        }
        assertThat(next.counts().confirmed()).isEqualTo(27);
        assertThat(next.missing() + next.counts().duplicated() + next.counts().disordered())
                .isZero();
    }

    /** A recreated topic accepts a batch before an earlier one that is retried. */
    @Test
    void checksOrderOnlyOfRecordsSentAfterRestart() {
        PartitionAudit next = audit.restarted(10);
        next.read(0, 9);
        next.read(1, 8);
        assertThat(next.counts().disordered()).isZero();
        next.read(2, 8);
        assertThat(next.counts().duplicated()).isEqualTo(1);
        PartitionAudit later = new PartitionAudit(next.save());
        later.read(3, 7);
        assertThat(later.counts().disordered()).isZero();
        later.read(4, 11);
        later.read(5, 10);
        assertThat(later.counts().disordered()).isEqualTo(1);
    }

    @Test
    void memoryDoesNotGrowWithTime() {
        for (int i = 0; i < 3_000_000; i++) {
            audit.acknowledged(1000 + i, i);
            audit.read(1000 + i, i);
        }
        assertThat(audit.counts()).isEqualTo(new Counts(3_000_000, 3_000_000, 0, 0, 0, 0, 0));
        assertThat(audit.save().waiting()).isEmpty();
    }

    /** The producer reaches the new end of the log before the reader notices that the log is shorter. */
    @Test
    void recordsWrittenAfterATruncationAreNotLost() {
        written(0, 5);
        read(0, 5);
        for (int i = 5; i < 10; i++) {
            audit.acknowledged(995 + i, i);
        }
        audit.truncatedTo(1000);
        for (int i = 5; i < 10; i++) {
            audit.read(995 + i, i);
        }
        assertThat(lost()).isEqualTo(5);
        assertThat(audit.counts()).isEqualTo(new Counts(10, 10, 5, 0, 0, 0, 5));
    }
}
