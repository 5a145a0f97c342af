package io.plimsoll.scenario;

import java.time.Duration;

/**
 * Replies of an application to the records of an entry, on another topic.
 *
 * @param match location of the correlation id in record and reply
 * @param name name of the header or field (with dots for nested fields); empty for keys
 * @param patience maximum wait for missing replies after the last acknowledgment
 */
public record ReplySpec(String topic, Match match, String name, Duration patience) {
    public enum Match {
        /** A header that Plimsoll adds. */
        HEADER,
        KEY,
        /** A field of JSON values. */
        FIELD
    }
}
