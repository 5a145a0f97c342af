package io.plimsoll.run.guards;

import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.text.Sentence;
import java.util.Optional;

/** Protects a property of the cluster from the load. {@link #ask} and the other methods are called by two threads. */
public abstract class Guard implements AutoCloseable {
    private final String name;
    private final Sentence watches;

    /**
     * @param name name for users
     * @param watches the protected property
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
     * Records the state before the first load, which the load did not cause.
     *
     * @throws PlimsollException if the guard cannot work
     */
    public void prepare() {}

    /** Called at the start of a load. */
    public void begin() {}

    /** Queries the cluster, which may take seconds; called every {@link LoadLimits#lookEvery}. */
    public void ask() {}

    /** Takes an observation of the brokers. Any thread. */
    public void accept(Observation seen) {}

    /** Takes a snapshot of the load's clients. Any thread. */
    public void accept(Snapshot own) {}

    /** The current violation, checked once a second without blocking; empty for none. */
    public abstract Optional<Sentence> judge();

    /** Whether a lower rate cannot help. */
    public boolean stopsAtOnce() {
        return false;
    }

    /** Own latency measurement of the load; null if the guard does not measure. */
    public Latency latency() {
        return null;
    }

    @Override
    public void close() {}
}
