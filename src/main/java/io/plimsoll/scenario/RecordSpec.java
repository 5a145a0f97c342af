package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Open;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.text.Sentence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The content of records, with values of the keys below. */
public record RecordSpec(Settings settings) {
    private static final int LARGEST_POOL = 1_000_000;
    private static final int MOST_HEADERS = 1000;
    private static final int LONGEST_KEY = 1000;
    private static final long MOST_INTEGERS = 1L << 31;
    public static final Key<Sizes> SIZE = Key.of(
                    "size",
                    new Open(Sentence.of("scenario.a.sizeOrMix", "{100: 9, 1KB: 1}")),
                    new Sizes(1000),
                    RecordSpec::sizes,
                    Sizes.class)
            .shown(sizes -> String.valueOf(sizes.largest()));
    private static final Key<Double> EXPONENT =
            Key.scalar("s", "scenario.a.exponent", 1.0, RecordSpec::exponent).required();
    private static final Key<Long> KEYS = Quantities.many("n").required();
    private static final Key<KeySpec.Type> TYPE =
            Key.choice("type", KeySpec.Type.STRING, List.of(KeySpec.Type.values()), KeySpec.Type::word);
    private static final Key<Integer> KEY_SIZE = Key.count("size", 0, LONGEST_KEY);
    private static final Key<Boolean> SEQUENTIAL = Key.choice("sequential", true, List.of(true), String::valueOf);
    private static final Key<Long> UNIFORM = Quantities.many("uniform");
    private static final Key<Long> ROUND_ROBIN = Quantities.many("roundRobin");
    private static final Key<Settings> ZIPF = Key.section(
            "zipf", Section.of("{s: 1.1, n: 10000}", EXPONENT, KEYS), Settings.NONE, EntryReading::settings);
    private static final Key<String> FIXED = Key.text("fixed");
    private static final Key<Optional<SchemaSpec>> KEY_SCHEMA = SchemaKeys.schema(true);
    public static final Key<KeySpec> KEY = new Forms<KeySpec>()
            .word("none", new KeySpec.None())
            .word("sequential", new KeySpec.Sequential(KeySpec.Type.STRING))
            .form(SEQUENTIAL, (entry, yes) -> numbers(entry, new KeySpec.Sequential(entry.get(TYPE))))
            .form(UNIFORM, (entry, n) -> numbers(entry, new KeySpec.Uniform(n, entry.get(TYPE))))
            .form(ROUND_ROBIN, (entry, n) -> numbers(entry, new KeySpec.RoundRobin(n, entry.get(TYPE))))
            .form(
                    ZIPF,
                    (entry, zipf) ->
                            numbers(entry, new KeySpec.Zipf(zipf.get(EXPONENT), zipf.get(KEYS), entry.get(TYPE))))
            .form(FIXED, RecordSpec::fixed)
            .form(KEY_SCHEMA, schema -> schema.<KeySpec>map(KeySpec.InSchema::new)
                    .orElseGet(KeySpec.None::new))
            .keys(TYPE, KEY_SIZE)
            .key(
                    "key",
                    Sentence.of(
                            "scenario.a.key",
                            Texts.either("none | sequential | {sequential: true} | {uniform: 1000} | {roundRobin: 1000}"
                                    + " | {zipf: {s: 1.1, n: 10000}} | {fixed: \"abc\"} | {schema: {file: key.avsc}}")),
                    new KeySpec.None(),
                    KeySpec.class);
    private static final Key<String> FILE = Key.scalar("file", "scenario.a.path", "", RecordSpec::notEmpty);
    private static final Key<String> DELIMITER = Key.scalar("delimiter", "scenario.a.text", "\n", RecordSpec::notEmpty);
    private static final Key<List<String>> FILES = Key.of(
            "files",
            new KeyShape.Value(Sentence.of("scenario.a.paths", "[a.bin, b.bin]")),
            List.<String>of(),
            (entry, key) -> entry.list(key, false, RecordSpec::notEmpty));
    private static final Key<String> TEMPLATE =
            Key.scalar("template", "scenario.a.text", "", RecordSpec::template).content(Key.Content.TEXT);
    public static final Key<Payload> PAYLOAD = new Forms<Payload>()
            .word("random", new Payload.Random())
            .word("letters", new Payload.Letters())
            .word("constant", new Payload.Constant())
            .form(FILE, (entry, path) -> new Payload.File(path, entry.get(DELIMITER)), DELIMITER)
            .form(FILES, Payload.Files::new)
            .form(TEMPLATE, Payload.Template::new)
            .key(
                    "payload",
                    Texts.either("random | letters | constant | {file: data.txt} | {files: [a.bin, b.bin]}"
                            + " | {template: \"order ${sequence}\"}"),
                    new Payload.Random(),
                    Payload.class);
    /** The schema of generated values, instead of {@link #PAYLOAD}. */
    public static final Key<Optional<SchemaSpec>> SCHEMA = SchemaKeys.schema(false)
            .rule((record, schema) -> {
                if (schema.isPresent() && record.has("payload")) {
                    record.problem("scenario.hasBoth", List.of("payload", "schema"));
                }
            });

    public static final Key<Double> RANDOM_BYTES_RATIO =
            Key.scalar("randomBytesRatio", Quantities.RATIO, 1.0, Quantities::ratio);
    public static final Key<Integer> POOL = Key.count("pool", 0, LARGEST_POOL).rule((record, pool) -> {
        if (pool > 0 && !(record.get(PAYLOAD) instanceof Payload.Random)) {
            record.problemAt("pool", "scenario.poolNotRandom");
        }
    });
    private static final Key<Integer> HEADER_COUNT =
            Key.scalar("count", Quantities.count(0), 0, RecordSpec::headerCount);
    private static final Key<Integer> NAME_SIZE =
            Key.scalar("keySize", Quantities.SIZE, Headers.NONE.keyBytes(), Quantities::size);
    private static final Key<Integer> VALUE_SIZE =
            Key.scalar("valueSize", Quantities.SIZE, Headers.NONE.valueBytes(), Quantities::size);
    private static final Key<Map<String, String>> NAMED = Key.labels("values", "{source: web, trace: \"${uuid}\"}")
            .noneByDefault()
            .content(Key.Content.TEXTS)
            .rule((entry, all) -> all.forEach((name, text) -> {
                try {
                    SchemaKeys.template(text);
                } catch (InvalidValueException e) {
                    entry.problemInMap("values", name, e.sentence());
                }
            }));
    public static final Key<Headers> HEADERS = new Forms<Headers>()
            .scalar(text -> new Headers(headerCount(text), Headers.NONE.keyBytes(), Headers.NONE.valueBytes()))
            .keys(HEADER_COUNT, NAME_SIZE, VALUE_SIZE, NAMED)
            .map(RecordSpec::headers)
            .key(
                    "headers",
                    Sentence.of("scenario.a.headers", "{count: 2, keySize: 8, valueSize: 16}"),
                    Headers.NONE,
                    Headers.class);
    public static final Section ALL =
            Section.of("{size: 100}", SIZE, KEY, PAYLOAD, SCHEMA, RANDOM_BYTES_RATIO, POOL, HEADERS);

    public static final RecordSpec DEFAULT = new RecordSpec(Settings.NONE);

    public <T> RecordSpec with(Key<T> key, T value) {
        return new RecordSpec(settings.with(key, value));
    }

    /** Whether each value is padded to {@link #size}. */
    public boolean padded() {
        return payload() instanceof Payload.Template template
                && template.parts().contains(new SchemaSpec.Field.Padding());
    }

    /** Maximum value size in bytes, 0 or more; ignored for payloads from files, and for templates without padding. */
    public int size() {
        return settings.get(SIZE).largest();
    }

    /** Mean value size in bytes; ignored in the same cases as {@link #size}. */
    public double meanSize() {
        double weights = mix().stream().mapToDouble(WeightedSize::weight).sum();
        double bytes = mix().stream().mapToDouble(s -> s.size() * s.weight()).sum();
        return mix().isEmpty() ? size() : bytes / weights;
    }

    /** Sizes with their weights; empty if all values have the same size. */
    public List<WeightedSize> mix() {
        return settings.get(SIZE).mix();
    }

    public KeySpec key() {
        return settings.get(KEY);
    }

    public Payload payload() {
        return schema().<Payload>map(Payload.InSchema::new).orElseGet(() -> settings.get(PAYLOAD));
    }

    /** The schema of the values; empty if they have none. */
    public Optional<SchemaSpec> schema() {
        return settings.get(SCHEMA);
    }

    /** The schemas of keys and values, in all versions. */
    public List<SchemaSpec> schemas() {
        Stream<SchemaSpec> ofKey = key() instanceof KeySpec.InSchema in ? Stream.of(in.schema()) : Stream.empty();
        return Stream.concat(ofKey, schema().stream().flatMap(SchemaSpec::versions))
                .toList();
    }

    public RecordSpec withSchemas(UnaryOperator<SchemaSpec> change) {
        RecordSpec changed = with(SCHEMA, schema().map(change));
        return key() instanceof KeySpec.InSchema in
                ? changed.with(KEY, new KeySpec.InSchema(change.apply(in.schema())))
                : changed;
    }

    /** Paths of the files with values; can be empty. */
    public List<String> files() {
        return payload() instanceof Payload.File file
                ? List.of(file.path())
                : payload() instanceof Payload.Files files ? files.paths() : List.of();
    }

    /** The incompressible share of each random value, 0 to 1; the remaining bytes are constant. */
    public double randomBytesRatio() {
        return settings.get(RANDOM_BYTES_RATIO);
    }

    public Headers headers() {
        return settings.get(HEADERS);
    }

    /** Number of different random values; 0 if each value is new. */
    public int pool() {
        return settings.get(POOL);
    }

    /** @param mix empty if all values have the same size */
    public record Sizes(int largest, List<WeightedSize> mix) {
        public Sizes(int size) {
            this(size, List.of());
        }

        public Sizes(List<WeightedSize> mix) {
            this(mix.stream().mapToInt(WeightedSize::size).max().orElse(0), mix);
        }
    }

    /** @param weight weight above 0, relative to the other weights */
    public record WeightedSize(int size, double weight) {}

    /** The source of values. */
    public sealed interface Payload {
        /** Random bytes for each record. */
        record Random() implements Payload {}

        /** Random capital letters, as Kafka's performance tool sends them. They compress to about 60 %. */
        record Letters() implements Payload {}

        /** Zero bytes, which compress to almost nothing. */
        record Constant() implements Payload {}

        /** Pieces of a file between delimiters, in seeded random order. */
        record File(String path, String delimiter) implements Payload {}

        /** Whole files as values, in seeded random order. */
        record Files(List<String> paths) implements Payload {}

        /** Text with rules in <code>${…}</code>. */
        record Template(String text) implements Payload {
            /** The parts of the template: rules, and literal texts, each as a {@code OneOf} with a single value. */
            public List<SchemaSpec.Field> parts() {
                return SchemaKeys.template(text);
            }
        }

        /** Values generated from a schema. */
        record InSchema(SchemaSpec schema) implements Payload {}
    }

    /**
     * Headers of each record, with the length of each name and value in bytes.
     *
     * @param values additional headers: templates by header name
     */
    public record Headers(int count, int keyBytes, int valueBytes, Map<String, String> values) {
        public static final Headers NONE = new Headers(0, 8, 16);

        public Headers {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        public Headers(int count, int keyBytes, int valueBytes) {
            this(count, keyBytes, valueBytes, Map.of());
        }

        public int all() {
            return count + values.size();
        }

        /**
         * The sum of a function over all headers. Its arguments are the sizes of name and value in bytes; the size of a
         * template is the size of its text.
         */
        public double sum(DoubleBinaryOperator ofHeader) {
            return count * ofHeader.applyAsDouble(keyBytes, valueBytes)
                    + values.entrySet().stream()
                            .mapToDouble(e -> ofHeader.applyAsDouble(utf8(e.getKey()), utf8(e.getValue())))
                            .sum();
        }

        private static int utf8(String text) {
            return text.getBytes(StandardCharsets.UTF_8).length;
        }
    }

    /** This record with changed template texts. */
    public RecordSpec withTexts(UnaryOperator<String> change) {
        Headers own = headers();
        Map<String, String> values = new LinkedHashMap<>(own.values());
        values.replaceAll((name, text) -> change.apply(text));
        RecordSpec changed = with(HEADERS, new Headers(own.count(), own.keyBytes(), own.valueBytes(), values));
        return payload() instanceof Payload.Template template
                ? changed.with(PAYLOAD, new Payload.Template(change.apply(template.text())))
                : changed;
    }

    private static Optional<Sizes> sizes(EntryReading record, String key) {
        if (!(record.node(key).orElseThrow() instanceof YamlNode.Fields)) {
            return record.read(key, Quantities::size).map(Sizes::new);
        }
        List<WeightedSize> mix = new ArrayList<>();
        Map<String, String> weights = record.config(key);
        if (weights.isEmpty()) {
            record.problemAt(key, "scenario.noSizes");
        }
        weights.forEach((size, weight) -> {
            try {
                mix.add(new WeightedSize(Quantities.size(size), weight(weight)));
            } catch (InvalidValueException e) {
                record.problemInMap(key, size, e.sentence());
            }
        });
        return mix.isEmpty() ? Optional.empty() : Optional.of(new Sizes(mix));
    }

    static double weight(String text) {
        double weight = Quantities.number(text);
        InvalidValueException.unexpected(weight <= 0, "scenario.a.weight", text);
        return weight;
    }

    /** Numeric keys; as text, they can have leading zeros. */
    private static KeySpec numbers(EntryReading entry, KeySpec numbers) {
        KeySpec.Type type = entry.get(TYPE);
        long n = Math.max(
                Math.max(entry.get(UNIFORM), entry.get(ROUND_ROBIN)),
                entry.get(ZIPF).get(KEYS));
        if (type == KeySpec.Type.INTEGER && n > MOST_INTEGERS) {
            entry.problemAt("type", "scenario.tooManyIntegers", MOST_INTEGERS);
        }
        requireNumbers(entry, type == KeySpec.Type.STRING);
        return entry.get(KEY_SIZE) > 0 ? new KeySpec.Padded(numbers, entry.get(KEY_SIZE)) : numbers;
    }

    private static void requireNumbers(EntryReading entry, boolean are) {
        if (entry.has(KEY_SIZE.name()) && !are) {
            entry.problemAt(KEY_SIZE.name(), "scenario.sizeOfNumbers");
        }
    }

    private static double exponent(String text) {
        double exponent = Quantities.number(text);
        InvalidValueException.unexpected(exponent <= 0 || exponent > 100, "scenario.a.exponent", text);
        return exponent;
    }

    private static KeySpec fixed(EntryReading entry, String value) {
        requireNumbers(entry, false);
        KeySpec.Type type = entry.get(TYPE);
        entry.read(FIXED.name(), text -> switch (type) {
            case INTEGER -> Quantities.count(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BYTES -> Quantities.count(text, Long.MIN_VALUE, Long.MAX_VALUE);
            case STRING -> 0L;
        });
        return new KeySpec.Fixed(value, type);
    }

    private static String template(String text) {
        SchemaKeys.template(notEmpty(text));
        return text;
    }

    private static String notEmpty(String text) {
        InvalidValueException.unexpected(text.isEmpty(), "scenario.a.someText", text);
        return text;
    }

    private static Headers headers(EntryReading entry) {
        if (!entry.has(NAMED.name())) {
            entry.require(HEADER_COUNT);
        }
        return new Headers(entry.get(HEADER_COUNT), entry.get(NAME_SIZE), entry.get(VALUE_SIZE), entry.get(NAMED));
    }

    private static int headerCount(String text) {
        return (int) Quantities.count(text, 0, MOST_HEADERS);
    }
}
