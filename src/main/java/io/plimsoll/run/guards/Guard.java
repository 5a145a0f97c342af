package io.plimsoll.run.guards;

import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.text.Sentence;
import java.util.Optional;

/** A condition of the cluster that a load must not violate. {@link #ask} and the other methods run in two threads. */
public abstract class Guard implements AutoCloseable {
    private final String name;
    private final Sentence watches;

    /**
     * @param name for users
     * @param watches the guarded condition
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
     * Reads the state before the first load; existing problems are not attributed to the load.
     *
     * @throws PlimsollException if the guard cannot work
     */
    public void prepare() {}

    /** A load starts. */
    public void begin() {}

    /** Queries the cluster every {@link LoadLimits#lookEvery}; can take seconds. */
    public void ask() {}

    /** Receives an observation of brokers. Any thread. */
    public void accept(Observation seen) {}

    /** Receives a snapshot of the run's own clients. Any thread. */
    public void accept(Snapshot own) {}

    /** The current violation, without waiting; called once a second. Empty if none. */
    public abstract Optional<Sentence> judge();

    /** Whether a lower rate cannot help. */
    public boolean stopsAtOnce() {
        return false;
    }

    /** Latency measured by the guard since the load started; null if it measures none. */
    public Latency latency() {
        return null;
    }

    @Override
    public void close() {}
}
