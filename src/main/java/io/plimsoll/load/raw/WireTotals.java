package io.plimsoll.load.raw;

import io.plimsoll.measure.Counter;
import io.plimsoll.measure.WireCounts;

/** Counts what a raw client put on the wire since its start. Written by the client's thread, read by any. */
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

    /** For how long all batches together waited to be sent. */
    long queuedNanos() {
        return queuedNanos.get();
    }

    WireCounts total() {
        return new WireCounts(
                requests.get(),
                new WireCounts.Written(batches.get(), records.get(), batchBytes.get(), plainBytes.get()),
                retries.get(),
                throttledNanos.get(),
                0,
                0,
                0,
                0);
    }
}
