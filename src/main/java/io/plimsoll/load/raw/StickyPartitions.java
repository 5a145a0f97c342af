package io.plimsoll.load.raw;

import java.util.SplittableRandom;

/**
 * Where records without a key go, as Kafka's producer chooses since 3.3 (KIP-794): it stays with a partition until that
 * has got {@code batch.size} bytes and has no batch to which more could be added (or until twice as much), then it picks
 * another at random, less often one with many batches waiting. So that a batch is not left behind with few records, one
 * that is open keeps the partition. Owned by one thread.
 */
final class StickyPartitions implements Partitioner {
    private final PartitionQueue[] queues;
    private final int batchBytes;
    private final SplittableRandom random;
    private PartitionQueue current;
    private long producedBytes;

    StickyPartitions(PartitionQueue[] queues, int batchBytes, long seed) {
        this.queues = queues;
        this.batchBytes = batchBytes;
        this.random = new SplittableRandom(seed);
        this.current = queues[random.nextInt(queues.length)];
    }

    @Override
    public PartitionQueue next() {
        // Between two records the open batch may have been sent.
        if (producedBytes >= batchBytes && noneOpen()) {
            change();
        }
        return current;
    }

    @Override
    public void produced(int wireBytes) {
        producedBytes += wireBytes;
        if (producedBytes >= 2L * batchBytes || (producedBytes >= batchBytes && noneOpen())) {
            change();
        }
    }

    private boolean noneOpen() {
        PendingBatch last = current.batches.peekLast();
        return last == null || last.full;
    }

    private void change() {
        producedBytes = 0;
        int most = 0;
        int sum = 0;
        for (PartitionQueue queue : queues) {
            most = Math.max(most, queue.batches.size());
            sum += queue.batches.size();
        }
        int lot = random.nextInt(queues.length * (most + 1) - sum);
        int i = 0;
        while (lot >= most + 1 - queues[i].batches.size()) {
            lot -= most + 1 - queues[i++].batches.size();
        }
        current = queues[i];
    }
}
