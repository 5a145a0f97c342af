package io.plimsoll.scenario;

import java.time.Duration;

/**
 * The answers that an application gives on another topic to the records of an entry.
 *
 * @param topic on which they come
 * @param match what an answer has in common with its record
 * @param name of the header, or of the field, with dots where it lies deeper; empty for keys
 * @param patience how long is waited for the answers that are missing once everything is acknowledged
 */
public record ReplySpec(String topic, Match match, String name, Duration patience) {
    /** Where a record and its answer have the same mark. */
    public enum Match {
        /** In a header, which Plimsoll adds to its records. */
        HEADER,
        KEY,
        /** In a field of their values, which are JSON. */
        FIELD
    }
}
