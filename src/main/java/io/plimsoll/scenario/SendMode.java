package io.plimsoll.scenario;

import java.time.Duration;
import java.util.Optional;

/** The condition that a sending thread waits for before the next record. */
public sealed interface SendMode {

    default String text() {
        if (this instanceof Sync sync) {
            return "sync"
                    + sync.timeout().map(t -> " for " + Quantities.text(t)).orElse("");
        }
        return this instanceof FlushEvery flush ? "flushEvery " + flush.records() : "async";
    }
    /** No condition; the client batches records. */
    record Async() implements SendMode {}

    /**
     * The acknowledgment of each record.
     * @param timeout maximum wait; a record with a timed-out wait is counted and can still succeed
     */
    record Sync(Optional<Duration> timeout) implements SendMode {}

    /** A flush of the client after every {@code records} records of the thread; at least 1. */
    record FlushEvery(long records) implements SendMode {}
}
