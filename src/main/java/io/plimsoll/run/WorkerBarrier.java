package io.plimsoll.run;

import io.plimsoll.measure.WallClock;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Agrees with the other workers of its trial. Called by the worker's thread. */
public interface WorkerBarrier {

    /**
     * When all workers begin.
     *
     * @param startNanos of {@link System#nanoTime()} in this process
     * @param epochOffsetNanos to be added to a nanoTime of this process to get nanoseconds since 1970, as all workers
     *     of the trial count them
     */
    record Start(long startNanos, long epochOffsetNanos) {}

    /**
     * Acknowledged records and transaction markers per {@code topic-partition}.
     *
     * @param acknowledged warm-up included
     */
    record Produced(Map<String, Long> acknowledged, Map<String, Long> markers) {}

    /**
     * Returns shortly before the start; later than that if the trial has been stopped meanwhile.
     *
     * @throws io.plimsoll.PlimsollException if there will be no start
     */
    Start start() throws InterruptedException;

    /**
     * Waits until the producers of all workers are done.
     *
     * @param stopped when true, there is nobody to wait for any more
     * @return what all of them have produced
     */
    Produced produced(Produced own, BooleanSupplier stopped) throws InterruptedException;

    /** The barrier of a worker that is alone. */
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
