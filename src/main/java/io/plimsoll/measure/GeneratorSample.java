package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * The use that the load generator itself made of this host in some stretch of time; adds up (the share of the busiest thread takes the
 * greater).
 *
 * @param cpuNanos CPU time of the process
 * @param busiestThread name of the thread that used most CPU
 * @param busiestThreadShare its share of one core, 0 to 1
 * @param gcNanos time in garbage collection
 * @param heapUsedBytes live heap after the last collection; 0 if there was none yet
 * @param elapsedNanos the length of the stretch
 * @param kept how far the process was kept from running
 */
public record GeneratorSample(
        long cpuNanos,
        String busiestThread,
        double busiestThreadShare,
        long gcNanos,
        @JsonUnwrapped WakeUps wakeUps,
        long heapUsedBytes,
        long elapsedNanos,
        @JsonUnwrapped Kept kept) {

    public static final GeneratorSample ZERO = new GeneratorSample(0, "", 0, 0, WakeUps.NONE, 0, 0, Kept.NEVER);

    public GeneratorSample {
        // Earlier versions did not look.
        kept = kept == null ? Kept.NEVER : kept;
    }

    /**
     * Wake-ups of sending threads.
     *
     * @param lateTicks those more than a millisecond late without being held up by the client
     * @param spunNanos for which threads spun, so as to be awake in time
     */
    public record WakeUps(long ticks, long lateTicks, long spunNanos) {
        public static final WakeUps NONE = new WakeUps(0, 0, 0);

        public WakeUps plus(WakeUps o) {
            return new WakeUps(ticks + o.ticks, lateTicks + o.lateTicks, spunNanos + o.spunNanos);
        }
    }

    /**
     * How far the process was kept from running, whoever kept it: somebody who stopped it, the quota of a control group, a
     * collection of garbage, other programs on the same cores.
     *
     * @param watchedNanos for which somebody looked; 0 if nobody did
     * @param stoodNanos of these, for which nothing of the process ran
     * @param stoodSquares sum of the squares of these standstills, each in microseconds
     * @param coreWaits times that a thread which takes acknowledgements came to a core; 0 where the system does not tell
     * @param coreWaitNanos for which these threads had waited for it
     * @param starvedNanos the same of the thread of the load that waited longest
     */
    public record Kept(
            long watchedNanos,
            long stoodNanos,
            double stoodSquares,
            long coreWaits,
            long coreWaitNanos,
            long starvedNanos) {
        public static final Kept NEVER = new Kept(0, 0, 0, 0, 0, 0);

        /** Of one process after another, or of several at the same time, of which the mean is then told. */
        public Kept plus(Kept o) {
            return new Kept(
                    watchedNanos + o.watchedNanos,
                    stoodNanos + o.stoodNanos,
                    stoodSquares + o.stoodSquares,
                    coreWaits + o.coreWaits,
                    coreWaitNanos + o.coreWaitNanos,
                    starvedNanos + o.starvedNanos);
        }

        /** Share of the time for which nothing of the process ran, 0 to 1. */
        public double stoodShare() {
            return watchedNanos == 0 ? 0 : Math.min(1, (double) stoodNanos / watchedNanos);
        }

        /** Share of the time for which a thread of the load wanted a core and had none, 0 to 1. */
        public double starvedShare() {
            return watchedNanos == 0 ? 0 : Math.min(1, (double) starvedNanos / watchedNanos);
        }

        /**
         * For how long acknowledgements waited at most until a thread could take them, on average, in microseconds. What comes at
         * any time finds a standstill of <i>g</i> in a time <i>T</i> with the chance <i>g</i> ÷ <i>T</i>. How much of it is left
         * then nobody knows: records that pile up are sent together when it is over, so that all of their answers may
         * come at the beginning of the next.
         */
        public double answerWaitMicros() {
            double standstills = watchedNanos == 0 ? 0 : stoodSquares / (watchedNanos / 1e3);
            double cores = coreWaits == 0 ? 0 : coreWaitNanos / 1e3 / coreWaits;
            return Math.max(standstills, cores);
        }
    }

    public GeneratorSample plus(GeneratorSample o) {
        boolean mine = busiestThreadShare >= o.busiestThreadShare;
        return new GeneratorSample(
                cpuNanos + o.cpuNanos,
                mine ? busiestThread : o.busiestThread,
                mine ? busiestThreadShare : o.busiestThreadShare,
                gcNanos + o.gcNanos,
                wakeUps.plus(o.wakeUps),
                Math.max(heapUsedBytes, o.heapUsedBytes),
                elapsedNanos + o.elapsedNanos,
                kept.plus(o.kept));
    }

    /** The same, with another thread as the busiest. */
    public GeneratorSample busiest(String thread, double share) {
        return new GeneratorSample(cpuNanos, thread, share, gcNanos, wakeUps, heapUsedBytes, elapsedNanos, kept);
    }

    public long ticks() {
        return wakeUps.ticks;
    }

    public long lateTicks() {
        return wakeUps.lateTicks;
    }

    /** The same, with these wake-ups. */
    public GeneratorSample with(WakeUps counted) {
        return new GeneratorSample(
                cpuNanos, busiestThread, busiestThreadShare, gcNanos, counted, heapUsedBytes, elapsedNanos, kept);
    }
}
