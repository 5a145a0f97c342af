package io.plimsoll.scenario;

import java.util.List;

/**
 * What a record looks like.
 *
 * @param size value bytes, 0 or more, of the largest where there is a mix; ignored where the payload comes from files or
 *     a template
 * @param randomBytesRatio 0 to 1: the share of each random value that is incompressible; the rest is constant
 * @param mix sizes and how often they come; empty if all values have the same
 * @param pool how many different contents random values have; 0: each has its own
 */
public record RecordSpec(
        int size,
        KeySpec key,
        Payload payload,
        double randomBytesRatio,
        Headers headers,
        List<WeightedSize> mix,
        int pool) {

    public RecordSpec {
        mix = List.copyOf(mix);
    }

    /** Values of one size, each with contents of its own. */
    public RecordSpec(int size, KeySpec key, Payload payload, double randomBytesRatio, Headers headers) {
        this(size, key, payload, randomBytesRatio, headers, List.of(), 0);
    }

    /**
     * One size of a mix.
     *
     * @param size value bytes
     * @param weight more than 0; only the weights' proportions matter
     */
    public record WeightedSize(int size, double weight) {}

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

        /** Files, each a value as a whole, one picked at random per record (seeded). */
        record Files(List<String> paths) implements Payload {
            public Files {
                paths = List.copyOf(paths);
            }
        }

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
