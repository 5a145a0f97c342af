package io.plimsoll.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.network.TransferableChannel;

/**
 * Writes a few buffers as one request, without copying them together. One for each connection, used for one request
 * after the other.
 */
final class GatherSend implements Send {
    private ByteBuffer[] buffers = {};
    private int count;
    private long size;
    private long remaining;
    private int first;
    private boolean pending;

    /** @param requestCount how many of the buffers belong to the request; each is written from position to limit */
    void reset(ByteBuffer[] requestBuffers, int requestCount) {
        buffers = requestBuffers;
        count = requestCount;
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += buffers[i].remaining();
        }
        size = bytes;
        remaining = bytes;
        first = 0;
        pending = false;
    }

    @Override
    public boolean completed() {
        return remaining <= 0 && !pending;
    }

    @Override
    public long writeTo(TransferableChannel channel) throws IOException {
        long written = channel.write(buffers, first, count - first);
        if (written < 0) {
            throw new IOException("the connection ended");
        }
        remaining -= written;
        while (first < count && !buffers[first].hasRemaining()) {
            first++;
        }
        pending = channel.hasPendingWrites();
        return written;
    }

    @Override
    public long size() {
        return size;
    }
}
