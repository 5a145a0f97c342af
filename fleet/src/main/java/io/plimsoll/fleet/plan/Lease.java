package io.plimsoll.fleet.plan;

/** The right to generate load until it expires for good, unless renewed before. Thread-safe. */
public final class Lease {
    private final long lengthNanos;
    private long renewedNanos;
    private boolean over;

    public Lease(long lengthNanos, long nowNanos) {
        this.lengthNanos = lengthNanos;
        this.renewedNanos = nowNanos;
    }

    public synchronized void renew(long nowNanos) {
        if (!expired(nowNanos)) {
            renewedNanos = Math.max(renewedNanos, nowNanos);
        }
    }

    public synchronized boolean expired(long nowNanos) {
        over |= nowNanos - renewedNanos > lengthNanos;
        return over;
    }
}
