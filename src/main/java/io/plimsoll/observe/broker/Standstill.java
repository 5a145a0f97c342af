package io.plimsoll.observe.broker;

import java.util.concurrent.atomic.DoubleAdder;

/**
 * Adds up for how long a broker answered nothing. An answer for which no disk and none of Kafka's threads are needed takes less
 * than a millisecond; what takes far longer is time in which the whole process did not run. Any thread.
 */
final class Standstill {
    /** What takes less is explained by a busy machine's handing its cores around. */
    private static final long LEAST_NANOS = 30_000_000;

    private final DoubleAdder seconds = new DoubleAdder();

    void answered(long nanos) {
        if (nanos >= LEAST_NANOS) {
            seconds.add(nanos / 1e9);
        }
    }

    double seconds() {
        return seconds.sum();
    }
}
