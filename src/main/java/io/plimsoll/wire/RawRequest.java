package io.plimsoll.wire;

import java.nio.ByteBuffer;

/** A request that was sent and waits for its response. Used by the thread that owns the network. */
public abstract class RawRequest {
    private int correlationId;
    private long sentNanos;

    /** Called when the whole response is there; the buffer starts behind the correlation id. */
    protected abstract void onResponse(ByteBuffer response);

    /**
     * True if the response's buffer is still in use after {@link #onResponse}; its user returns it with
     * {@link RawNetwork#release}.
     */
    protected boolean keepsResponse() {
        return false;
    }

    /** Called instead of {@link #onResponse} when the connection ended or the request timed out. */
    protected abstract void onFailure(String kind);

    /** True if the broker answers; a produce request with acks 0 is over once it is written. */
    protected boolean expectsResponse() {
        return true;
    }

    /** Called when the last byte is with the operating system. */
    protected void onWritten() {}

    final void sent(int correlation, long nowNanos) {
        correlationId = correlation;
        sentNanos = nowNanos;
    }

    final int correlationId() {
        return correlationId;
    }

    /** When it was handed to its connection, in nanoTime. */
    public final long sentNanos() {
        return sentNanos;
    }
}
