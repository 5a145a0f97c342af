package io.plimsoll.watch;

import com.fasterxml.jackson.annotation.JsonValue;
import io.plimsoll.text.Sentence;

/** Operations that a watch repeats on every broker. */
public enum Signal {
    /** Acknowledgment of a record to a partition that the broker leads. */
    PRODUCE("produce", 1),
    /** Consumption of the same record, from its due time. */
    END_TO_END("endToEnd", 1),
    /** Offset commit in a group that the broker coordinates. */
    COMMIT("commit", 2),
    /** Join of a new member in a group that the broker coordinates, until its assignment. */
    JOIN("join", 15),
    /** Metadata request on an open connection. */
    METADATA("metadata", 1, 100_000_000L),
    /** New connection, including TLS and login, until requests can be sent. */
    CONNECT("connect", 2, 1_000_000_000L);

    private final String id;
    /** Factor for the time limits of a success and of an outage. */
    final int patience;
    /**
     * Interval in ns of attempts that wait for the previous attempt to end; 0 if attempts do not wait. An attempt also
     * counts for the attempts that become due while it lasts.
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

    /** The name in files, metrics and pages. */
    @JsonValue
    public String id() {
        return id;
    }

    public Sentence label() {
        return Sentence.of("watch.signal." + id);
    }
}
