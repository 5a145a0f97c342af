package io.plimsoll.scenario;

import java.time.Duration;
import java.util.Optional;

/** The thing that a sending thread waits for. */
public sealed interface SendMode {

    default String text() {
        if (this instanceof Sync sync) {
            return "sync"
                    + sync.timeout().map(t -> " for " + Quantities.text(t)).orElse("");
        }
        return this instanceof FlushEvery flush ? "flushEvery " + flush.records() : "async";
    }
    /** Nothing is waited for: the client batches. */
    record Async() implements SendMode {}

    /**
     * For each record's acknowledgement before the next is sent.
     *
     * @param timeout the longest wait; a wait that times out is counted, the record goes on and may still succeed
     */
    record Sync(Optional<Duration> timeout) implements SendMode {}

    /** Flushes the client after every so many records of the thread, 1 or more. */
    record FlushEvery(long records) implements SendMode {}
}
