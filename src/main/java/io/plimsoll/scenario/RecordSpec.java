package io.plimsoll.scenario;

import java.util.List;

/** The look of a record, by its {@link RecordKeys}. */
public record RecordSpec(Settings settings) {
    /** A record for which nothing was said. */
    public static final RecordSpec DEFAULT = new RecordSpec(Settings.NONE);

    public <T> RecordSpec with(Key<T> key, T value) {
        return new RecordSpec(settings.with(key, value));
    }

    /** Value bytes, 0 or more, of the largest where there is a mix; ignored where the payload comes from files or a template. */
    public int size() {
        return settings.get(RecordKeys.SIZE).largest();
    }

    /** Value bytes on average, by the weights of a mix; ignored as {@link #size} is. */
    public double meanSize() {
        double weights = mix().stream().mapToDouble(WeightedSize::weight).sum();
        double bytes = mix().stream().mapToDouble(s -> s.size() * s.weight()).sum();
        return mix().isEmpty() ? size() : bytes / weights;
    }

    /** Sizes and how often they come; empty if all values have the same. */
    public List<WeightedSize> mix() {
        return settings.get(RecordKeys.SIZE).mix();
    }

    public KeySpec key() {
        return settings.get(RecordKeys.KEY);
    }

    public Payload payload() {
        return settings.get(RecordKeys.PAYLOAD);
    }

    /** Paths of the files that values come from; empty if they come from none. */
    public List<String> files() {
        return payload() instanceof Payload.File file
                ? List.of(file.path())
                : payload() instanceof Payload.Files files ? files.paths() : List.of();
    }

    /** The share of each random value that is incompressible, 0 to 1; the rest is constant. */
    public double randomBytesRatio() {
        return settings.get(RecordKeys.RANDOM_BYTES_RATIO);
    }

    public Headers headers() {
        return settings.get(RecordKeys.HEADERS);
    }

    /** The number of different contents of random values; 0: each has its own. */
    public int pool() {
        return settings.get(RecordKeys.POOL);
    }

    /** The largest size of values in bytes, and the mix of all, empty if they have the same size. */
    public record Sizes(int largest, List<WeightedSize> mix) {
        public Sizes {
            mix = List.copyOf(mix);
        }

        public Sizes(int size) {
            this(size, List.of());
        }

        public Sizes(List<WeightedSize> mix) {
            this(mix.stream().mapToInt(WeightedSize::size).max().orElse(0), mix);
        }
    }

    /** A size of a mix in value bytes, and its weight, more than 0; only the weights' proportions matter. */
    public record WeightedSize(int size, double weight) {}

    /** The source of values. */
    public sealed interface Payload {
        /** Fresh random bytes for each record. */
        record Random() implements Payload {}

        /** Fresh random capital letters, as Kafka's own performance tool sends: they compress to about 60 %. */
        record Letters() implements Payload {}

        /** Zero bytes: compresses to nothing. */
        record Constant() implements Payload {}

        /** Pieces of a file between delimiters, one picked at random per record (seeded). */
        record File(String path, String delimiter) implements Payload {}

        /** Files, each a value as a whole, one picked at random per record (seeded). */
        record Files(List<String> paths) implements Payload {}

        /**
         * A text with <code>${sequence}</code>, <code>${sequence:FIRST}</code>, <code>${timestamp}</code>,
         * <code>${random:N}</code> and <code>${uuid}</code> filled in per record.
         */
        record Template(String text) implements Payload {}
    }

    /** Headers of each record, 0 or more, and the lengths of each name and of each value. */
    public record Headers(int count, int keyBytes, int valueBytes) {
        public static final Headers NONE = new Headers(0, 8, 16);
    }
}
