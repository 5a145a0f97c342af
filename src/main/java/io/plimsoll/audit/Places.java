package io.plimsoll.audit;

import io.plimsoll.payload.Identity;
import java.nio.ByteBuffer;

/**
 * Reads a partition once more, to say where records are. Owned by one reading.
 *
 * @param reconciliation shared by all partitions; guarded by its lock
 */
public record Places(LogPartition partition, long runId, Reconciliation reconciliation) implements LogSink {
    @Override
    public void record(long offset, ByteBuffer bytes, int valueAt, int valueBytes, long epochMillis) {
        if (valueBytes >= Identity.BYTES && Identity.runId(bytes, valueAt) == runId) {
            records(offset, Identity.producer(bytes, valueAt), Identity.sequence(bytes, valueAt), 1, epochMillis);
        }
    }

    @Override
    public void records(long offset, int of, long sequence, long records, long epochMillis) {
        synchronized (reconciliation) {
            for (long i = 0; i < records; i++) {
                reconciliation.place(partition, offset + i, of, sequence + i, epochMillis);
            }
        }
    }
}
