package io.plimsoll.fleet.plan;

/** The right to generate load. It expires permanently unless it is renewed in time. Thread-safe. */
public final class Lease {
    private long renewedNanos;
    private boolean over;

    public Lease(long nowNanos) {
        this.renewedNanos = nowNanos;
    }

    /** Renews the lease. {@code lengthNanos}: time after which it expires without a renewal. */
    public synchronized void renew(long nowNanos, long lengthNanos) {
        if (!expired(nowNanos, lengthNanos)) {
            renewedNanos = Math.max(renewedNanos, nowNanos);
        }
    }

    /** Whether the lease has expired. {@code lengthNanos}: time after which it expires without a renewal. */
    public synchronized boolean expired(long nowNanos, long lengthNanos) {
        over |= nowNanos - renewedNanos > lengthNanos;
        return over;
    }
}
