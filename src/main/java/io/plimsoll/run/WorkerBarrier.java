package io.plimsoll.run;

import io.plimsoll.measure.TrialClock.WallClock;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Synchronizes the workers of a trial. Called by the worker's thread. */
public interface WorkerBarrier {

    /**
     * The common start.
     * @param startNanos start time on this process's {@link System#nanoTime()}
     * @param epochOffsetNanos offset from this nanoTime to the fleet's common nanoseconds since 1970
     */
    record Start(long startNanos, long epochOffsetNanos) {}

    /** Number of acknowledged records, including the warm-up, and of transaction markers, per {@code topic-partition}. */
    record Produced(Map<String, Long> acknowledged, Map<String, Long> markers) {}

    /**
     * Waits for the other workers and agrees on a start.
     * @throws io.plimsoll.PlimsollException if the trial will not start
     */
    Start start() throws InterruptedException;

    /** Waits until the producers of all workers are done or the trial is stopped; returns their total. */
    Produced produced(Produced own, BooleanSupplier stopped) throws InterruptedException;

    WorkerBarrier NONE = new WorkerBarrier() {
        private static final long START_DELAY_NANOS = 20_000_000;

        @Override
        public Start start() {
            long now = System.nanoTime();
            return new Start(now + START_DELAY_NANOS, WallClock.epochOffsetNanos());
        }

        @Override
        public Produced produced(Produced own, BooleanSupplier stopped) {
            return own;
        }
    };
}
