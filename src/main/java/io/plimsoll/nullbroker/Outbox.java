package io.plimsoll.nullbroker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Pending responses of one connection in request order, each with its earliest send time. Confined to one thread;
 * allocates nothing once it has grown.
 */
final class Outbox {
    /** Limits beyond which no further request is read from the connection. */
    private static final int ENOUGH_BYTES = 1 << 20;

    private static final int ENOUGH_RESPONSES = 1 << 13;

    private ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 12);
    /** Index of the first unsent byte; the last one is before the buffer's position. */
    private int start;
    /** Number of bytes from the start that can be sent now. */
    private int released;

    private long[] dueNanos = new long[16];
    private int[] lengths = new int[16];
    private int firstHeld;
    private int held;

    /** Whether every released byte is sent. */
    boolean isFlushed() {
        return released == 0;
    }

    /** Whether responses wait for their release. */
    boolean hasHeld() {
        return held > 0;
    }

    boolean isFull() {
        return held >= ENOUGH_RESPONSES || bytes.position() - start >= ENOUGH_BYTES;
    }

    /** @param response from 0 to its position */
    void add(ByteBuffer response, long due) {
        int length = response.position();
        makeRoom(length);
        bytes.put(bytes.position(), response, 0, length).position(bytes.position() + length);
        if (held == lengths.length) {
            growHeld();
        }
        int slot = (firstHeld + held) % lengths.length;
        dueNanos[slot] = due;
        lengths[slot] = length;
        held++;
    }

    private void makeRoom(int length) {
        if (bytes.remaining() >= length) {
            return;
        }
        int used = bytes.position() - start;
        ByteBuffer target = used + length <= bytes.capacity() / 2
                ? bytes
                : ByteBuffer.allocateDirect(Math.max(bytes.capacity() * 2, used + length));
        ByteBuffer unsent = bytes.duplicate().position(start).limit(start + used);
        target.clear().put(unsent);
        bytes = target;
        start = 0;
    }

    private void growHeld() {
        int size = lengths.length;
        long[] times = new long[size * 2];
        int[] sizes = new int[size * 2];
        for (int i = 0; i < held; i++) {
            times[i] = dueNanos[(firstHeld + i) % size];
            sizes[i] = lengths[(firstHeld + i) % size];
        }
        dueNanos = times;
        lengths = sizes;
        firstHeld = 0;
    }

    /** Release time of the first held response; {@link Long#MAX_VALUE} without one. */
    long nextDueNanos() {
        return held == 0 ? Long.MAX_VALUE : dueNanos[firstHeld];
    }

    void release(long nowNanos) {
        while (held > 0 && dueNanos[firstHeld] <= nowNanos) {
            released += lengths[firstHeld];
            firstHeld = (firstHeld + 1) % lengths.length;
            held--;
        }
    }

    /** @return true if every released byte is sent; false if the socket is full */
    boolean flush(SocketChannel channel) throws IOException {
        if (released > 0) {
            int tail = bytes.position();
            bytes.limit(start + released).position(start);
            int sent;
            try {
                sent = channel.write(bytes);
            } finally {
                bytes.limit(bytes.capacity()).position(tail);
            }
            start += sent;
            released -= sent;
            if (start == tail) {
                bytes.clear();
                start = 0;
            }
        }
        return released == 0;
    }
}
