package io.plimsoll.engine.raw;

import java.util.SplittableRandom;

/**
 * Where records without a key go, as Kafka's producer chooses since 3.3: it stays with a partition until that has got
 * {@code batch.size} bytes and its last batch is full or gone (or until twice as much), then it picks another at random. Owned by one thread.
 */
final class StickyPartitions implements Routing {
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
        return current;
    }

    @Override
    public void produced(int wireBytes) {
        producedBytes += wireBytes;
        FormingBatch last = current.batches.peekLast();
        boolean batchOver = last == null || last.full;
        if (producedBytes >= 2L * batchBytes || producedBytes >= batchBytes && batchOver) {
            current = queues[random.nextInt(queues.length)];
            producedBytes = 0;
        }
    }
}
