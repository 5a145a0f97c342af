package io.plimsoll.run.calibrate;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;

/**
 * Measures what this host takes for the two things that have to be done with every byte: its checksum and its way into the
 * kernel. Measured over as much memory as an engine goes over with batches of that size.
 *
 * @param crcNanosPerByte of CPU
 * @param copyNanosPerByte of CPU, from memory of that size into that of a socket's buffer
 */
record HostCosts(double crcNanosPerByte, double copyNanosPerByte) {
    private static final long BUDGET_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int BATCHES = 64;
    private static final int MOST_BYTES = 64 << 20;
    private static final int SOCKET_BYTES = 256 << 10;

    static HostCosts measure(int batchBytes) {
        int blocks = Math.max(1, Math.min(BATCHES, MOST_BYTES / batchBytes));
        ByteBuffer from = ByteBuffer.allocateDirect(blocks * batchBytes);
        ByteBuffer to = ByteBuffer.allocateDirect(Math.max(SOCKET_BYTES, batchBytes));
        for (int at = 0; at + Long.BYTES <= from.capacity(); at += Long.BYTES) {
            from.putLong(at, at * 0x9e3779b97f4a7c15L);
        }
        CRC32C crc = new CRC32C();
        double crcNanos = nanosPerByte(() -> {
            for (int block = 0; block < blocks; block++) {
                crc.update(from.limit((block + 1) * batchBytes).position(block * batchBytes));
            }
            return (long) blocks * batchBytes;
        });
        double copyNanos = nanosPerByte(() -> {
            for (int block = 0; block < blocks; block++) {
                if (to.remaining() < batchBytes) {
                    to.clear();
                }
                to.put(from.limit((block + 1) * batchBytes).position(block * batchBytes));
            }
            return (long) blocks * batchBytes;
        });
        return new HostCosts(crcNanos, copyNanos);
    }

    /** @param work returns how many bytes it dealt with */
    private static double nanosPerByte(LongSupplier work) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        repeat(work, BUDGET_NANOS / 2);
        long before = threads.getCurrentThreadCpuTime();
        long bytes = repeat(work, BUDGET_NANOS);
        return (double) (threads.getCurrentThreadCpuTime() - before) / bytes;
    }

    private static long repeat(LongSupplier work, long nanos) {
        long end = System.nanoTime() + nanos;
        long bytes = 0;
        do {
            bytes += work.getAsLong();
        } while (System.nanoTime() < end);
        return bytes;
    }
}
