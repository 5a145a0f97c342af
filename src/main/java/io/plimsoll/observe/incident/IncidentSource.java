package io.plimsoll.observe.incident;

/** Finds incidents of one trial. Used by one thread at a time. */
public interface IncidentSource extends AutoCloseable {
    /**
     * Reports the incidents since the last call; the first call only starts the observation.
     * @param nowNanos current {@link System#nanoTime}
     */
    void look(long nowNanos, IncidentSink sink);

    /** Polling interval in units of {@link IncidentWatch#EVERY_NANOS}. */
    default int every() {
        return 1;
    }

    /** Reports incidents that are still in progress. */
    default void end(long nowNanos, IncidentSink sink) {}

    @Override
    default void close() {}
}
