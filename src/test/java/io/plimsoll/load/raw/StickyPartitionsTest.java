package io.plimsoll.load.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.plimsoll.load.raw.Partitioner.StickyPartitions;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of KIP-794, as in Kafka's producer with a single sending thread. */
class StickyPartitionsTest {
    private static final int BATCH = 1000;
    private static final int RECORD = 100;

    private final PartitionQueue[] queues = IntStream.range(0, 50)
            .mapToObj(p -> new PartitionQueue(0, p, 0, false))
            .toArray(PartitionQueue[]::new);
    private final StickyPartitions sticky = new StickyPartitions(queues, BATCH, 1);

    private static PendingBatch batch() {
        PendingBatch batch = new PendingBatch(8);
        batch.begin(0);
        return batch;
    }

    /** @return number of records in the partition of the first one */
    private int stay(int records) {
        PartitionQueue first = sticky.next();
        int stayed = 0;
        while (stayed < records && sticky.next() == first) {
            sticky.produced(RECORD);
            stayed++;
        }
        return stayed;
    }

    @Test
    void openBatchKeepsPartitionUpToTwiceTheBatchSize() {
        sticky.next().batches.add(batch());
        assertThat(stay(100)).isEqualTo(20);
    }

    @Test
    void partitionWithoutOpenBatchGetsOneBatch() {
        assertThat(stay(100)).isEqualTo(10);
        PendingBatch full = batch();
        sticky.next().batches.add(full);
        full.full = true;
        assertThat(stay(100)).isEqualTo(10);
    }

    @Test
    void sentBatchIsNoLongerOpen() {
        PartitionQueue first = sticky.next();
        first.batches.add(batch());
        assertThat(stay(15)).isEqualTo(15);
        first.batches.clear();
        assertThat(sticky.next()).isNotSameAs(first);
    }

    @Test
    void choosesBackloggedPartitionLessOften() {
        PartitionQueue[] two = {queues[0], queues[1]};
        StickyPartitions chooser = new StickyPartitions(two, BATCH, 7);
        two[1].batches.addAll(List.of(batch(), batch(), batch()));
        int waiting = 0;
        for (int i = 0; i < 100_000; i++) {
            waiting += chooser.next() == two[1] ? 1 : 0;
            chooser.produced(2 * BATCH);
        }
        // One more than the longest queue, minus its own length: 4 to 1.
        assertThat(waiting).isCloseTo(20_000, withPercentage(3));
    }
}
