package io.plimsoll.wire;

import java.nio.ByteBuffer;

/** A sent request that waits for its response. Used by the network thread. */
public abstract class RawRequest {
    private int correlationId;
    private long sentNanos;

    /** Called with the complete response; the buffer starts after the correlation id. */
    protected abstract void onResponse(ByteBuffer response);

    /**
     * Whether the response buffer stays in use after {@link #onResponse}. The code that uses the buffer then returns it
     * with {@link RawNetwork#release}.
     */
    protected boolean keepsResponse() {
        return false;
    }

    /** Called instead of {@link #onResponse} after a disconnect or timeout. */
    protected abstract void onFailure(String kind);

    /** Whether the broker responds; a produce request with acks=0 completes when it is written. */
    protected boolean expectsResponse() {
        return true;
    }

    /** Called when the operating system has accepted the last byte. */
    protected void onWritten() {}

    final void sent(int correlation, long nowNanos) {
        correlationId = correlation;
        sentNanos = nowNanos;
    }

    final int correlationId() {
        return correlationId;
    }

    /** Time in nanoTime at which the request was passed to its connection. */
    public final long sentNanos() {
        return sentNanos;
    }
}
