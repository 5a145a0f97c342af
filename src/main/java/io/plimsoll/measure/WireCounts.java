package io.plimsoll.measure;

/**
 * The counts of what clients put on the wire, from their own counters; they add up.
 *
 * @param requests produce requests
 * @param batches record batches
 * @param batchedRecords records in them
 * @param batchBytes bytes of the batches, after compression
 * @param uncompressedBytes bytes of the same batches before compression (estimated from the clients' compression rate)
 * @param retries records sent again
 * @param throttledNanos time that brokers asked the clients to wait
 * @param bufferWaitNanos time that sending threads waited for {@code buffer.memory}
 * @param fetchRequests fetch requests of the consuming clients
 */
public record WireCounts(
        long requests,
        long batches,
        long batchedRecords,
        long batchBytes,
        long uncompressedBytes,
        long retries,
        long throttledNanos,
        long bufferWaitNanos,
        long fetchRequests) {

    public static final WireCounts ZERO = new WireCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);

    public WireCounts plus(WireCounts o) {
        return new WireCounts(
                requests + o.requests,
                batches + o.batches,
                batchedRecords + o.batchedRecords,
                batchBytes + o.batchBytes,
                uncompressedBytes + o.uncompressedBytes,
                retries + o.retries,
                throttledNanos + o.throttledNanos,
                bufferWaitNanos + o.bufferWaitNanos,
                fetchRequests + o.fetchRequests);
    }

    public WireCounts minus(WireCounts o) {
        return new WireCounts(
                requests - o.requests,
                batches - o.batches,
                batchedRecords - o.batchedRecords,
                batchBytes - o.batchBytes,
                uncompressedBytes - o.uncompressedBytes,
                retries - o.retries,
                throttledNanos - o.throttledNanos,
                bufferWaitNanos - o.bufferWaitNanos,
                fetchRequests - o.fetchRequests);
    }
}
