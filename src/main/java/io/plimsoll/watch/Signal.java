package io.plimsoll.watch;

import com.fasterxml.jackson.annotation.JsonValue;
import io.plimsoll.text.Sentence;

/** What is tried again and again on every broker. */
public enum Signal {
    /** A record to a partition that the broker leads, acknowledged. */
    PRODUCE("produce", 1),
    /** The same record, read. */
    END_TO_END("endToEnd", 1),
    /** An offset of a group that the broker coordinates, committed. */
    COMMIT("commit", 2),
    /** A new member of such a group, until it has its partitions. */
    JOIN("join", 15),
    /** A question about the cluster's metadata on a connection that stands. */
    METADATA("metadata", 1, 100_000_000L),
    /** A new connection, with TLS and login where the listener asks for them, until the broker can be asked. */
    CONNECT("connect", 2, 1_000_000_000L);

    private final String id;
    /** How many times as long as a record it may take before it counts as failed, or as an outage. */
    final int patience;
    /**
     * The time from one attempt to the next where each waits for the one before, so that those that are due meanwhile count with
     * it; 0 where none waits.
     */
    final long everyNanos;

    Signal(String id, int patience) {
        this(id, patience, 0);
    }

    Signal(String id, int patience, long everyNanos) {
        this.id = id;
        this.patience = patience;
        this.everyNanos = everyNanos;
    }

    /** As files, metrics and pages have it. */
    @JsonValue
    public String id() {
        return id;
    }

    public Sentence label() {
        return Sentence.of("watch.signal." + id);
    }
}
