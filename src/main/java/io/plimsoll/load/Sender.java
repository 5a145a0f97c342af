package io.plimsoll.load;

import io.plimsoll.measure.TrialClock;

/**
 * A thread that hands over the records of a schedule. {@link ScheduledProducers} starts it, stops it and charges what it
 * left, whatever it hands them to.
 */
public interface Sender {

    /** Begins with the first record that is due. Any thread. */
    void start(TrialClock clock);

    /** Ends sending as soon as possible, also in the middle of a blocking send. Any thread. */
    void stop();

    /** True once it has handed over its last record, was stopped, or has died. Any thread. */
    boolean sent();

    /** Charges what was due by then and was never handed over; once it hands over nothing more. */
    void charge(long nowNanos);
}
