package io.plimsoll.result;

import org.jspecify.annotations.Nullable;

/**
 * Whether the load generator was the limit of a trial, and its own share of missing and slow records. Only the
 * generator's own lateness and CPU use make it the limit. A slow or unresponsive cluster does not, even if some
 * wake-ups were late. A process that is stopped or starved also processes responses late, which looks like a slow
 * cluster. Pure.
 * @param missingShare as in {@link Generator.Part}, like {@code responseShare}
 */
record GeneratorLimit(
        Cause cause,
        @Nullable Double missingShare,
        @Nullable Double responseShare) {
    static final double LATE_TICKS = 0.05;
    static final double BUSY_THREAD = 0.95;
    static final double ACHIEVED = 0.99;
    static final double CALIBRATED = 0.7;
    /** Number of records that can be in flight at the end of the window; at low rates, this is more than 1 % of all records. */
    private static final long ON_THE_WAY = 5;
    /**
     * Missing records at the end of the window, in seconds of load, that a momentary stall can explain: the thread
     * would have caught up later.
     */
    private static final double MOMENT_SECONDS = 0.25;

    private static final double MOSTLY = 0.5;
    /**
     * Delay by the generator, in microseconds, up to which the cluster is considered fast, even if the delay is most of
     * the response time.
     */
    private static final double SLOW_MICROS = 20_000;
    /** Maximum share of time without a running thread. In a closed loop, the throughput is lower by the same share. */
    static final double STOOD = 0.1;

    enum Cause {
        NONE,
        /** Records were missing because they were not sent, although nothing blocked the senders. */
        BEHIND,
        /** Records and their responses waited longer for the generator than for the cluster. */
        SLOW,
        /** One thread was fully busy, in a closed loop or with records missing. */
        BUSY_THREAD,
        /** In a closed loop, no thread of the process ran for part of the time. */
        STOOD,
        /** The load generator was close to its calibrated maximum. */
        CALIBRATED
    }

    /**
     * Records due within the window: {@code missing} were neither acknowledged nor failed, and {@code behind} were not
     * even sent.
     */
    record Load(double seconds, long due, long missing, long behind) {
        boolean scheduled() {
            return due > 0;
        }

        double perSecond() {
            return seconds > 0 ? due / seconds : 0;
        }
    }

    /**
     * How long senders and responses waited.
     * @param heldBefore mean time that client or cluster blocked a sending thread before the window, in seconds
     * @param heldWithin mean time that client or cluster blocked a sending thread within the window, in seconds
     * @param backlogSeconds seconds of the schedule that were overdue at the start of the window because senders had
     *     been blocked
     * @param answerMicros upper bound of the mean wait of responses until a thread could handle them
     */
    record Times(
            double heldBefore,
            double heldWithin,
            double backlogSeconds,
            double delayMicros,
            double answerMicros,
            double responseMicros) {}

    /**
     * Resource usage of the generator.
     *
     * @param starved share of the time in which a load thread was runnable without a core
     * @param stood share of the time in which no thread of the process ran
     * @param calibrated work done ÷ calibrated maximum of this host
     */
    record Use(
            double busiest,
            double starved,
            double stood,
            @Nullable Double calibrated) {
        boolean busy() {
            return busiest >= BUSY_THREAD;
        }

        /** Whether the busiest thread used all the CPU time that it could get. */
        boolean outOfTime() {
            return busiest + Math.max(starved, stood) >= BUSY_THREAD;
        }

        boolean atItsMost() {
            return calibrated != null && calibrated > CALIBRATED;
        }
    }

    static GeneratorLimit of(Load load, Times times, Use use) {
        if (!load.scheduled()) {
            Cause own = use.busy() ? Cause.BUSY_THREAD : use.stood > STOOD ? Cause.STOOD : Cause.NONE;
            return new GeneratorLimit(use.atItsMost() ? Cause.CALIBRATED : own, null, null);
        }
        // While a process does not run, the cluster does not block it.
        double ran = 1 - use.stood;
        double missing = ownMissing(load, times.heldBefore * ran + times.heldWithin * ran, use);
        double delay = ownDelayMicros(load, times.heldWithin * ran, times) + times.answerMicros;
        double share = times.responseMicros > 0 ? Math.min(1, delay / times.responseMicros) : 0;
        return new GeneratorLimit(
                cause(load, use, missing, share > MOSTLY && delay > SLOW_MICROS),
                load.missing > 0 ? Double.valueOf(missing / load.missing) : null,
                times.responseMicros > 0 ? Double.valueOf(share) : null);
    }

    private static Cause cause(Load load, Use use, double missing, boolean slow) {
        boolean misses = missing > ON_THE_WAY
                && missing > (1 - ACHIEVED) * load.due
                && missing > MOMENT_SECONDS * load.perSecond();
        if (use.atItsMost() && (misses || !slow)) {
            return Cause.CALIBRATED;
        }
        if (misses) {
            return use.outOfTime() ? Cause.BUSY_THREAD : Cause.BEHIND;
        }
        return slow ? Cause.SLOW : Cause.NONE;
    }

    /**
     * Records missing because of the generator: unsent records, without records that became due while a sender was
     * blocked. Sent records are in flight, unless the generator had no CPU time left to process them.
     */
    private static double ownMissing(Load load, double heldSeconds, Use use) {
        double behind = Math.max(0, load.behind - heldSeconds * load.perSecond());
        return use.outOfTime() || use.atItsMost() ? load.missing : Math.min(load.missing, behind);
    }

    /**
     * Mean delay in microseconds because of the generator. Records that become due while a sender is blocked wait half
     * of that time on average, and the sender does not process an earlier backlog in that time.
     */
    private static double ownDelayMicros(Load load, double heldSeconds, Times times) {
        double within = Math.min(heldSeconds, load.seconds);
        double explained = load.seconds > 0 ? within * (within / 2 + times.backlogSeconds) / load.seconds : 0;
        return Math.max(0, times.delayMicros - explained * 1e6);
    }

    /** Whether the trial is invalid because the generator caused missing or slow records. */
    boolean invalid(Load load) {
        return switch (cause) {
            case BEHIND, SLOW -> true;
            case BUSY_THREAD, CALIBRATED ->
                missingShare != null && missingShare * load.missing > Math.max(ON_THE_WAY, (1 - ACHIEVED) * load.due);
            case STOOD, NONE -> false;
        };
    }
}
