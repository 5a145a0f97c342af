package io.plimsoll.measure;

import io.plimsoll.measure.Metric.Merge;

/** The resources of this host that the load generator itself used, and how far its process was kept from running. */
public final class GeneratorUse {
    static final String FAMILY = "generator";

    /** CPU time of the process. */
    public static final Metric<Long> CPU_NANOS = Metric.count("generator.cpuNanos");

    /** Time in garbage collection. */
    public static final Metric<Long> GC_NANOS = Metric.count("generator.gcNanos", Merge.SUM, Merge.GREATEST);

    /** Wake-ups of sending threads. */
    public static final Metric<Long> TICKS = Metric.count("generator.ticks");

    /** Those more than a millisecond late without being held up by the client. */
    public static final Metric<Long> LATE_TICKS = Metric.count("generator.lateTicks");

    /** For which sending threads spun, so as to be awake in time. */
    public static final Metric<Long> SPUN_NANOS = Metric.count("generator.spunNanos");

    /** Live heap after the last collection; 0 before the first. */
    public static final Metric<Long> HEAP_USED_BYTES =
            Metric.count("generator.heapUsedBytes", Merge.GREATEST, Merge.GREATEST);

    /** The length of the stretch. */
    public static final Metric<Long> ELAPSED_NANOS = Metric.count("generator.elapsedNanos", Merge.SUM, Merge.GREATEST);

    /** For which standstills of the process were watched; 0 if they were not. */
    public static final Metric<Long> WATCHED_NANOS = Metric.count("generator.watchedNanos");

    /** Of these, for which nothing of the process ran: it was stopped, throttled, or collected garbage. */
    public static final Metric<Long> STOOD_NANOS = Metric.count("generator.stoodNanos");

    /** The sum of the squares of these standstills, each in microseconds. */
    public static final Metric<Double> STOOD_SQUARES = Metric.real("generator.stoodSquares");

    /** Times that a thread which takes acknowledgements came to a core; 0 where the system does not tell. */
    public static final Metric<Long> CORE_WAITS = Metric.count("generator.coreWaits");

    /** For which these threads had waited for it. */
    public static final Metric<Long> CORE_WAIT_NANOS = Metric.count("generator.coreWaitNanos");

    /** The same of the thread of the load that waited longest. */
    public static final Metric<Long> STARVED_NANOS = Metric.count("generator.starvedNanos");

    private GeneratorUse() {}

    /** Share of the time for which nothing of the process ran, 0 to 1. */
    public static double stoodShare(Counts counts) {
        return watchedShare(counts, STOOD_NANOS);
    }

    /** Share of the time for which a thread of the load wanted a core and had none, 0 to 1. */
    public static double starvedShare(Counts counts) {
        return watchedShare(counts, STARVED_NANOS);
    }

    private static double watchedShare(Counts counts, Metric<Long> nanos) {
        long watched = counts.get(WATCHED_NANOS);
        return watched == 0 ? 0 : Math.min(1, (double) counts.get(nanos) / watched);
    }

    /**
     * The longest time for which acknowledgements waited until a thread could take them, on average, in microseconds. What comes
     * at any time meets a standstill of <i>g</i> in a time <i>T</i> with the chance <i>g</i> ÷ <i>T</i>. How much of it is left
     * then is unknown: records that pile up are sent together when it is over, so that all of their answers may come at the begin
     * of the next.
     */
    public static double answerWaitMicros(Counts counts) {
        long watched = counts.get(WATCHED_NANOS);
        long waits = counts.get(CORE_WAITS);
        double standstills = watched == 0 ? 0 : counts.get(STOOD_SQUARES) / (watched / 1e3);
        double cores = waits == 0 ? 0 : counts.get(CORE_WAIT_NANOS) / 1e3 / waits;
        return Math.max(standstills, cores);
    }

    /**
     * The thread of a process that used most CPU.
     *
     * @param thread its name; empty if none is known
     * @param share its share of one core, 0 to 1
     */
    public record Busiest(String thread, double share) {
        public static final Busiest NONE = new Busiest("", 0);

        public Busiest greater(Busiest other) {
            return share >= other.share ? this : other;
        }
    }
}
