package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * The counts of what clients put on the wire, from their own counters; they add up. Nested values lie flat in JSON.
 *
 * @param requests produce requests
 * @param retries records sent again
 * @param throttledNanos time that brokers asked the clients to wait, the sum of what each of their answers said
 * @param bufferWaitNanos time that sending threads waited for {@code buffer.memory}
 * @param fetchRequests fetch requests of the consuming clients
 * @param heldNanos time that sending threads were held up by the client or by whom it waits for: no room in the buffer (as
 *     above), no metadata, a flush, a transaction's end, a synchronous send; 0 in earlier versions
 * @param throttlesUntold readings of clients that do not tell {@code throttledNanos}
 */
public record WireCounts(
        long requests,
        @JsonUnwrapped Written written,
        long retries,
        long throttledNanos,
        long bufferWaitNanos,
        long fetchRequests,
        long heldNanos,
        long throttlesUntold) {
    public static final WireCounts ZERO = new WireCounts(0, Written.NOTHING, 0, 0, 0, 0, 0, 0);

    /**
     * The record batches that were sent.
     *
     * @param batchedRecords records in them
     * @param batchBytes bytes of the batches, after compression
     * @param uncompressedBytes bytes of the same batches before compression (estimated from the clients' compression rate)
     */
    public record Written(long batches, long batchedRecords, long batchBytes, long uncompressedBytes) {
        public static final Written NOTHING = new Written(0, 0, 0, 0);

        Written plus(Written o) {
            return new Written(
                    batches + o.batches,
                    batchedRecords + o.batchedRecords,
                    batchBytes + o.batchBytes,
                    uncompressedBytes + o.uncompressedBytes);
        }
    }

    public WireCounts plus(WireCounts o) {
        return new WireCounts(
                requests + o.requests,
                written.plus(o.written),
                retries + o.retries,
                throttledNanos + o.throttledNanos,
                bufferWaitNanos + o.bufferWaitNanos,
                fetchRequests + o.fetchRequests,
                heldNanos + o.heldNanos,
                throttlesUntold + o.throttlesUntold);
    }

    /** The same, with threads held up for so much longer. */
    public WireCounts heldFor(long nanos) {
        return new WireCounts(
                requests,
                written,
                retries,
                throttledNanos,
                bufferWaitNanos,
                fetchRequests,
                heldNanos + nanos,
                throttlesUntold);
    }
}
