package io.plimsoll.run.guards;

import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.text.Sentence;
import java.util.Optional;

/** Something of the cluster that a load must not spoil for others. {@link #ask} and the rest are called by two threads. */
public abstract class Guard implements AutoCloseable {
    private final String name;
    private final Sentence watches;

    /**
     * @param name by which users know it
     * @param watches what of the cluster it looks at
     */
    protected Guard(String name, Sentence watches) {
        this.name = name;
        this.watches = watches;
    }

    final String name() {
        return name;
    }

    Sentence watches() {
        return watches;
    }

    /**
     * Looks at how things are before the run's first load: what is wrong by then is not blamed on it.
     *
     * @throws PlimsollException if it cannot guard anything
     */
    public void prepare() {}

    /** A load begins. */
    public void begin() {}

    /** Asks the cluster, which may take seconds; every {@link LoadLimits#lookEvery}. */
    public void ask() {}

    /** Takes what was observed of the brokers. Any thread. */
    public void accept(Observation seen) {}

    /** Takes what our own clients did. Any thread. */
    public void accept(Snapshot own) {}

    /** What is wrong by now, once a second, without waiting; empty if nothing is. */
    public abstract Optional<Sentence> judge();

    /** Whether a lower rate would not help. */
    public boolean stopsAtOnce() {
        return false;
    }

    /** What it measured itself since the load began; null if it does not measure. */
    public Latency latency() {
        return null;
    }

    @Override
    public void close() {}
}
