package io.plimsoll.run.guards;

import io.plimsoll.pace.Throttle;
import java.time.Duration;

/** Decides what becomes of a load that spoils something for others: half its rate at once, and its end if that does not help. */
final class BackOff {
    /** Followers take a while to catch up, and so does a probe's window. */
    static final Duration PATIENCE = Duration.ofSeconds(15);

    /** What is to be done with the load. */
    enum Deed {
        NOTHING,
        HALVE,
        STOP
    }

    private int halvings;
    private long sinceNanos;
    private boolean suffering;

    /**
     * Takes a look at the cluster.
     *
     * @param spoilt whether something is as it must not be
     */
    Deed judge(long nowNanos, boolean spoilt) {
        if (!spoilt) {
            suffering = false;
            return Deed.NOTHING;
        }
        if (suffering) {
            return nowNanos - sinceNanos >= PATIENCE.toNanos() ? Deed.STOP : Deed.NOTHING;
        }
        suffering = true;
        sinceNanos = nowNanos;
        return halvings++ < Throttle.MOST ? Deed.HALVE : Deed.STOP;
    }

    int halvings() {
        return Math.min(halvings, Throttle.MOST);
    }
}
