package io.plimsoll.observe.broker;

/**
 * Adds up for how long a broker answered nothing. An answer for which no disk and none of Kafka's threads are needed takes less
 * than a millisecond; what it takes beyond the usual is time in which the whole process did not run. One thread writes.
 */
final class Standstill {
    /** What takes longer is not explained by a busy machine's handing its cores around. */
    private static final long LEAST_NANOS = 30_000_000;

    private volatile double seconds;

    void answered(long nanos) {
        if (nanos >= LEAST_NANOS) {
            seconds = seconds + nanos / 1e9;
        }
    }

    double seconds() {
        return seconds;
    }
}
