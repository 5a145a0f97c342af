package io.plimsoll.scenario;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The content of records, with values of {@link RecordKeys}. */
public record RecordSpec(Settings settings) {
    public static final RecordSpec DEFAULT = new RecordSpec(Settings.NONE);

    public <T> RecordSpec with(Key<T> key, T value) {
        return new RecordSpec(settings.with(key, value));
    }

    /** Maximum value bytes, 0 or more; ignored for payloads from files or a template. */
    public int size() {
        return settings.get(RecordKeys.SIZE).largest();
    }

    /** Mean value bytes; ignored as {@link #size}. */
    public double meanSize() {
        double weights = mix().stream().mapToDouble(WeightedSize::weight).sum();
        double bytes = mix().stream().mapToDouble(s -> s.size() * s.weight()).sum();
        return mix().isEmpty() ? size() : bytes / weights;
    }

    /** Sizes with their weights; empty if all values have the same size. */
    public List<WeightedSize> mix() {
        return settings.get(RecordKeys.SIZE).mix();
    }

    public KeySpec key() {
        return settings.get(RecordKeys.KEY);
    }

    public Payload payload() {
        return schema().<Payload>map(Payload.InSchema::new).orElseGet(() -> settings.get(RecordKeys.PAYLOAD));
    }

    /** Of the values. */
    public Optional<SchemaSpec> schema() {
        return settings.get(RecordKeys.SCHEMA);
    }

    /** The schemas of keys and values. */
    public List<SchemaSpec> schemas() {
        Stream<SchemaSpec> ofKey = key() instanceof KeySpec.InSchema in ? Stream.of(in.schema()) : Stream.empty();
        return Stream.concat(ofKey, schema().stream()).toList();
    }

    /** This record with changed schemas. */
    public RecordSpec withSchemas(UnaryOperator<SchemaSpec> change) {
        RecordSpec changed = with(RecordKeys.SCHEMA, schema().map(change));
        return key() instanceof KeySpec.InSchema in
                ? changed.with(RecordKeys.KEY, new KeySpec.InSchema(change.apply(in.schema())))
                : changed;
    }

    /** Paths of the files with values; may be empty. */
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

    /** Number of different random values; 0: each value is new. */
    public int pool() {
        return settings.get(RecordKeys.POOL);
    }

    /** @param mix empty if all values have the same size */
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

    /** @param weight more than 0, relative to the other weights */
    public record WeightedSize(int size, double weight) {}

    /** The source of values. */
    public sealed interface Payload {
        /** Random bytes for each record. */
        record Random() implements Payload {}

        /** Random capital letters, as of Kafka's performance tool, which compress to about 60 %. */
        record Letters() implements Payload {}

        /** Zero bytes: compresses to nothing. */
        record Constant() implements Payload {}

        /** Pieces of a file between delimiters, in seeded random order. */
        record File(String path, String delimiter) implements Payload {}

        /** Whole files as values, in seeded random order. */
        record Files(List<String> paths) implements Payload {}

        /** Text with placeholders: sequence, sequence:FIRST, timestamp, random:N and uuid. */
        record Template(String text) implements Payload {}

        /** Values generated within a schema. */
        record InSchema(SchemaSpec schema) implements Payload {}
    }

    /** Headers of each record, with the length of each name and value. */
    public record Headers(int count, int keyBytes, int valueBytes) {
        public static final Headers NONE = new Headers(0, 8, 16);
    }
}
