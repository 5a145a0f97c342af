package io.plimsoll.lab;

/** Shares a rate among connections: each takes its turn. Thread-safe. */
final class Throttle {
    private long freeNanos;

    /** @return the nanoTime at which these bytes have passed, and the next may begin */
    synchronized long reserve(int bytes, double bytesPerSecond, long nowNanos) {
        if (bytesPerSecond <= 0) {
            return nowNanos;
        }
        freeNanos = Math.max(freeNanos, nowNanos) + Math.round(bytes / bytesPerSecond * 1e9);
        return freeNanos;
    }
}
