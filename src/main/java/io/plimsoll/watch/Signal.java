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
    METADATA("metadata", 1),
    /** A new connection, with TLS and login where the listener asks for them, until the broker can be asked. */
    CONNECT("connect", 2);

    private final String id;
    private final int patience;

    Signal(String id, int patience) {
        this.id = id;
        this.patience = patience;
    }

    /** As files, metrics and pages have it. */
    @JsonValue
    public String id() {
        return id;
    }

    public Sentence label() {
        return Sentence.of("watch.signal." + id);
    }

    /** How many times as long as a record it may take before it counts as failed, or as an outage. */
    int patience() {
        return patience;
    }
}
