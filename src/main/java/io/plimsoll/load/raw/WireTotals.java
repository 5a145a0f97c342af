package io.plimsoll.load.raw;

import io.plimsoll.measure.Counter;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.WireUse;

/** Counts what a raw client puts on the wire. Written by the client's thread, read by one other. */
final class WireTotals {
    private final Counter requests = new Counter();
    private final Counter batches = new Counter();
    private final Counter records = new Counter();
    private final Counter batchBytes = new Counter();
    private final Counter plainBytes = new Counter();
    private final Counter retries = new Counter();
    private final Counter throttledNanos = new Counter();
    private final Counter queuedNanos = new Counter();

    void sent(int batchCount, int bytes) {
        requests.add(1);
        batches.add(batchCount);
        batchBytes.add(bytes);
    }

    /** @param queuedNanos from the batch's first record until now */
    void batch(int count, BatchTemplate template, long queuedNanos) {
        this.queuedNanos.add(queuedNanos);
        records.add(count);
        plainBytes.add(template.plainBytes());
    }

    void retried(int count) {
        retries.add(count);
    }

    void throttled(int millis) {
        throttledNanos.add(millis * 1_000_000L);
    }

    /** For how long the batches that were sent since the last call waited for that. */
    long queuedNanos() {
        return queuedNanos.drain();
    }

    /** Adds what was counted since the last call. */
    void read(Counts.Sum into) {
        into.add(WireUse.REQUESTS, requests.drain())
                .add(WireUse.BATCHES, batches.drain())
                .add(WireUse.BATCHED_RECORDS, records.drain())
                .add(WireUse.BATCH_BYTES, batchBytes.drain())
                .add(WireUse.UNCOMPRESSED_BYTES, plainBytes.drain())
                .add(WireUse.RETRIES, retries.drain())
                .add(WireUse.THROTTLED_NANOS, throttledNanos.drain());
    }
}
