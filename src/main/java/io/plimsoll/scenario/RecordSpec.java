package io.plimsoll.scenario;

/**
 * What a record looks like.
 *
 * @param size value bytes, 0 or more; ignored where the payload comes from a file or template
 * @param randomBytesRatio 0 to 1: the share of each random value that is incompressible; the rest is constant
 */
public record RecordSpec(int size, KeySpec key, Payload payload, double randomBytesRatio, Headers headers) {

    /** Where values come from. */
    public sealed interface Payload {
        /** Fresh random bytes for each record. */
        record Random() implements Payload {}

        /** Fresh random capital letters, as Kafka's own performance tool sends: they compress to about 60 %. */
        record Letters() implements Payload {}

        /** Zero bytes: compresses to nothing. */
        record Constant() implements Payload {}

        /**
         * Pieces of a file, one picked at random per record (seeded).
         *
         * @param delimiter separates the pieces, as text
         */
        record File(String path, String delimiter) implements Payload {}

        /**
         * A text with <code>${sequence}</code>, <code>${sequence:FIRST}</code>, <code>${timestamp}</code>,
         * <code>${random:N}</code> and <code>${uuid}</code> filled in per record.
         */
        record Template(String text) implements Payload {}
    }

    /**
     * Headers of each record.
     *
     * @param count 0 or more
     * @param keyBytes length of each name
     * @param valueBytes length of each value
     */
    public record Headers(int count, int keyBytes, int valueBytes) {
        public static final Headers NONE = new Headers(0, 8, 16);
    }
}
