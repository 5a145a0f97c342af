package io.plimsoll.run.guards;

import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Observation;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.text.Sentence;
import java.util.Optional;

/** Something of the cluster that a load must not spoil for others. {@link #ask} and the rest are called by two threads. */
public interface Guard extends AutoCloseable {
    /** By which users know it. */
    String name();

    /** What of the cluster it looks at. */
    Sentence watches();

    /**
     * Looks at how things are before the run's first load: what is wrong by then is not blamed on it.
     *
     * @throws PlimsollException if it cannot guard anything
     */
    default void prepare() {}

    /** A load begins. */
    default void begin() {}

    /** Asks the cluster, which may take seconds; every {@link LoadLimits#lookEvery}. */
    default void ask() {}

    /** Takes what was observed of the brokers. Any thread. */
    default void accept(Observation seen) {}

    /** What is wrong by now, once a second, without waiting; empty if nothing is. */
    Optional<Sentence> judge();

    /** Whether a lower rate would not help. */
    default boolean stopsAtOnce() {
        return false;
    }

    /** What it measured itself since the load began; null if it does not measure. */
    default Latency latency() {
        return null;
    }

    @Override
    default void close() {}
}
