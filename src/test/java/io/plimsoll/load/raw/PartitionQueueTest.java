package io.plimsoll.load.raw;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Batches behind a permanently failed one keep their sequences while any of them can be in the log. */
class PartitionQueueTest {
    private final PartitionQueue queue = new PartitionQueue(0, 0, 0, true);

    /** A batch of ten records that was sent and came back. */
    private PendingBatch sent(long firstSequence, boolean doubtful) {
        PendingBatch batch = new PendingBatch(10);
        batch.begin(0);
        batch.count = 10;
        batch.firstSequence = firstSequence;
        batch.baseSequence = (int) firstSequence;
        batch.attempts = 1;
        batch.doubtful = doubtful;
        queue.batches.add(batch);
        return batch;
    }

    /** Its response was lost: under another sequence the broker would not recognize it. */
    @Test
    void batchWithLostResponseKeepsSequenceAndIsSentFirst() {
        PendingBatch refused = sent(20, false);
        PendingBatch lost = sent(30, true);
        queue.gap(10);
        queue.closeGap();
        assertThat(queue.behindGap(refused)).isTrue();
        assertThat(refused.baseSequence).isEqualTo(20);
        assertThat(lost.baseSequence).isEqualTo(30);
        assertThat(queue.pollNext()).isSameAs(lost);
        queue.inFlight = 1;
        queue.closeGap();
        assertThat(refused.baseSequence).as("the answer may still come").isEqualTo(20);
        queue.inFlight = 0;
        queue.closeGap();
        assertThat(queue.behindGap(refused)).isFalse();
        assertThat(refused.baseSequence).isEqualTo(-1);
    }

    @Test
    void batchBeforeTheGapKeepsItsSequence() {
        PendingBatch before = sent(0, false);
        PendingBatch behind = sent(20, false);
        queue.gap(10);
        queue.closeGap();
        assertThat(queue.pollNext()).isSameAs(before);
        assertThat(before.baseSequence).isZero();
        assertThat(behind.baseSequence).isEqualTo(20);
    }
}
