package io.plimsoll.wire;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.stream.Stream;
import org.apache.kafka.common.memory.MemoryPool;

/**
 * Pool of off-heap response buffers, so that fetched data goes from the socket into reused memory. Confined to one
 * thread.
 */
final class BufferPool implements MemoryPool {
    private static final int SMALLEST_BITS = 9;
    /** Limit of idle memory; buffers beyond it are left to the garbage collector. */
    private static final long MAX_IDLE_BYTES = 128L << 20;

    /** Idle buffers by the bit length of their capacity, a power of two. */
    private final ArrayDeque<ByteBuffer>[] idle = newDeques();

    private long idleBytes;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ArrayDeque<ByteBuffer>[] newDeques() {
        return Stream.generate(() -> new ArrayDeque<>(2)).limit(Integer.SIZE).toArray(ArrayDeque[]::new);
    }

    @Override
    public ByteBuffer tryAllocate(int sizeBytes) {
        int bits = Math.max(SMALLEST_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, sizeBytes) - 1));
        if (bits > 30) {
            // No broker sends a response this large.
            throw new IllegalArgumentException("a response claims " + sizeBytes + " bytes");
        }
        ByteBuffer buffer = idle[bits].poll();
        if (buffer == null) {
            buffer = ByteBuffer.allocateDirect(1 << bits);
        } else {
            idleBytes -= buffer.capacity();
        }
        return buffer.clear().limit(sizeBytes);
    }

    @Override
    public void release(ByteBuffer buffer) {
        if (buffer.isDirect() && idleBytes + buffer.capacity() <= MAX_IDLE_BYTES) {
            idleBytes += buffer.capacity();
            idle[Integer.numberOfTrailingZeros(buffer.capacity())].push(buffer);
        }
    }

    @Override
    public long size() {
        return Long.MAX_VALUE;
    }

    @Override
    public long availableMemory() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isOutOfMemory() {
        return false;
    }
}
