package io.plimsoll.nullbroker;

import io.plimsoll.wire.server.Served;
import java.util.concurrent.atomic.AtomicLong;

/** The counters of one partition: all that a null broker keeps of what was produced. Safe for several threads. */
final class NullPartition implements Served.Partition {
    private final long preloadedRecords;
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong batches = new AtomicLong();

    NullPartition(long preloadedRecords) {
        this.preloadedRecords = preloadedRecords;
    }

    @Override
    public long append(int batchRecords, int batchBytes) {
        bytes.addAndGet(batchBytes);
        batches.incrementAndGet();
        return preloadedRecords + records.getAndAdd(batchRecords);
    }

    @Override
    public long endOffset() {
        return preloadedRecords + records.get();
    }

    NullBrokerStats.Partition stats() {
        long produced = records.get();
        return new NullBrokerStats.Partition(produced, bytes.get(), batches.get(), preloadedRecords + produced);
    }
}
