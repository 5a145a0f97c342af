package io.plimsoll.nullbroker;

import java.util.concurrent.atomic.AtomicLong;

/** The counters of one partition: all that a null broker keeps of what was produced. Safe for several threads. */
final class NullPartition {
    private final long preloadedRecords;
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong batches = new AtomicLong();

    NullPartition(long preloadedRecords) {
        this.preloadedRecords = preloadedRecords;
    }

    /** @return the offset of the batch's first record */
    long append(int batchRecords, int batchBytes) {
        bytes.addAndGet(batchBytes);
        batches.incrementAndGet();
        return preloadedRecords + records.getAndAdd(batchRecords);
    }

    long endOffset() {
        return preloadedRecords + records.get();
    }

    NullBrokerStats.Partition stats() {
        long produced = records.get();
        return new NullBrokerStats.Partition(produced, bytes.get(), batches.get(), preloadedRecords + produced);
    }
}
