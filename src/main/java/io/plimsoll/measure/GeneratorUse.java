package io.plimsoll.measure;

import io.plimsoll.measure.Metric.Merge;

/** Host resources used by the load generator, and interruptions of its process. */
public final class GeneratorUse {
    static final String FAMILY = "generator";

    public static final Metric<Long> CPU_NANOS = Metric.count("generator.cpuNanos");

    /** Garbage collection time. */
    public static final Metric<Long> GC_NANOS = Metric.count("generator.gcNanos", Merge.SUM, Merge.GREATEST);

    /** Number of wake-ups of sending threads. */
    public static final Metric<Long> TICKS = Metric.count("generator.ticks");

    /** Number of wake-ups that were more than a millisecond late for reasons other than the client. */
    public static final Metric<Long> LATE_TICKS = Metric.count("generator.lateTicks");

    /** Time that sending threads spent spinning in order to wake up on time. */
    public static final Metric<Long> SPUN_NANOS = Metric.count("generator.spunNanos");

    /** Live heap after the last garbage collection; 0 before the first collection. */
    public static final Metric<Long> HEAP_USED_BYTES =
            Metric.count("generator.heapUsedBytes", Merge.GREATEST, Merge.GREATEST);

    /** Length of the interval. */
    public static final Metric<Long> ELAPSED_NANOS = Metric.count("generator.elapsedNanos", Merge.SUM, Merge.GREATEST);

    /** Time in which process pauses were monitored; 0 if they were not. */
    public static final Metric<Long> WATCHED_NANOS = Metric.count("generator.watchedNanos");

    /** Monitored time in which the whole process did not run: stopped, throttled, or in garbage collection. */
    public static final Metric<Long> STOOD_NANOS = Metric.count("generator.stoodNanos");

    /** Sum of the squared pauses, each in microseconds. */
    public static final Metric<Double> STOOD_SQUARES = Metric.real("generator.stoodSquares");

    /** Number of times that a thread that handles acknowledgments was scheduled on a core; 0 if the system does not report it. */
    public static final Metric<Long> CORE_WAITS = Metric.count("generator.coreWaits");

    /** Run-queue time of the threads that handle acknowledgments. */
    public static final Metric<Long> CORE_WAIT_NANOS = Metric.count("generator.coreWaitNanos");

    /** Run-queue time of the load thread that waited longest. */
    public static final Metric<Long> STARVED_NANOS = Metric.count("generator.starvedNanos");

    /** Fraction of the time in which the whole process was paused, 0 to 1. */
    public static double stoodShare(Counts counts) {
        return watchedShare(counts, STOOD_NANOS);
    }

    /** Fraction of the time for which the longest-waiting load thread waited for a core, 0 to 1. */
    public static double starvedShare(Counts counts) {
        return watchedShare(counts, STARVED_NANOS);
    }

    private static double watchedShare(Counts counts, Metric<Long> nanos) {
        long watched = counts.get(WATCHED_NANOS);
        return watched == 0 ? 0 : Math.min(1, (double) counts.get(nanos) / watched);
    }

    /**
     * Upper bound of the mean delay until a thread could handle an acknowledgment, in microseconds. A random event hits
     * a pause of length <i>g</i> within time <i>T</i> with probability <i>g</i> ÷ <i>T</i>. The full pause is charged:
     * records queued during a pause are sent together, so their responses can arrive at the start of the next pause.
     */
    public static double answerWaitMicros(Counts counts) {
        long watched = counts.get(WATCHED_NANOS);
        long waits = counts.get(CORE_WAITS);
        double standstills = watched == 0 ? 0 : counts.get(STOOD_SQUARES) / (watched / 1e3);
        double cores = waits == 0 ? 0 : counts.get(CORE_WAIT_NANOS) / 1e3 / waits;
        return Math.max(standstills, cores);
    }

    /**
     * The thread of the process with the highest CPU use.
     *
     * @param thread name; empty if unknown
     * @param share fraction of one core, 0 to 1
     */
    public record Busiest(String thread, double share) {
        public static final Busiest NONE = new Busiest("", 0);

        public Busiest greater(Busiest other) {
            return share >= other.share ? this : other;
        }
    }
}
