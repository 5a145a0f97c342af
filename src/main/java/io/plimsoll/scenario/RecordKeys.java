package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Open;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.RecordSpec.Headers;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.Sizes;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of {@code record}. */
public final class RecordKeys {
    private static final int LARGEST_POOL = 1_000_000;
    private static final int MOST_HEADERS = 1000;
    private static final int LONGEST_KEY = 1000;
    private static final long MOST_INTEGERS = 1L << 31;
    public static final Key<Sizes> SIZE = Key.of(
                    "size",
                    new Open(Sentence.of("scenario.a.sizeOrMix", "{100: 9, 1KB: 1}")),
                    new Sizes(1000),
                    RecordKeys::sizes,
                    Sizes.class)
            .shown(sizes -> String.valueOf(sizes.largest()));
    private static final Key<Double> EXPONENT =
            Key.scalar("s", "scenario.a.exponent", 1.0, RecordKeys::exponent).required();
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
    private static final Key<Optional<SchemaSpec>> KEY_SCHEMA = SchemaKeys.schema();
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
            .form(FIXED, RecordKeys::fixed)
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
    private static final Key<String> FILE = Key.scalar("file", "scenario.a.path", "", RecordKeys::notEmpty);
    private static final Key<String> DELIMITER = Key.scalar("delimiter", "scenario.a.text", "\n", RecordKeys::notEmpty);
    private static final Key<List<String>> FILES = Key.of(
            "files",
            new KeyShape.Value(Sentence.of("scenario.a.paths", "[a.bin, b.bin]")),
            List.<String>of(),
            (entry, key) -> entry.list(key, false, RecordKeys::notEmpty));
    private static final Key<String> TEMPLATE =
            Key.scalar("template", "scenario.a.text", "", RecordKeys::notEmpty).content(Key.Content.TEXT);
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
    /** Instead of {@link #PAYLOAD}. */
    public static final Key<Optional<SchemaSpec>> SCHEMA = SchemaKeys.schema().rule((record, schema) -> {
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
            Key.scalar("count", Quantities.count(0), 0, RecordKeys::headerCount).required();
    private static final Key<Integer> NAME_SIZE =
            Key.scalar("keySize", Quantities.SIZE, Headers.NONE.keyBytes(), Quantities::size);
    private static final Key<Integer> VALUE_SIZE =
            Key.scalar("valueSize", Quantities.SIZE, Headers.NONE.valueBytes(), Quantities::size);
    public static final Key<Headers> HEADERS = new Forms<Headers>()
            .scalar(text -> new Headers(headerCount(text), Headers.NONE.keyBytes(), Headers.NONE.valueBytes()))
            .keys(HEADER_COUNT, NAME_SIZE, VALUE_SIZE)
            .map(entry -> new Headers(entry.get(HEADER_COUNT), entry.get(NAME_SIZE), entry.get(VALUE_SIZE)))
            .key(
                    "headers",
                    Sentence.of("scenario.a.headers", "{count: 2, keySize: 8, valueSize: 16}"),
                    Headers.NONE,
                    Headers.class);
    public static final Section ALL =
            Section.of("{size: 100}", SIZE, KEY, PAYLOAD, SCHEMA, RANDOM_BYTES_RATIO, POOL, HEADERS);

    private RecordKeys() {}

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

    /** Keys that are numbers, as text optionally with leading zeros. */
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

    private static String notEmpty(String text) {
        InvalidValueException.unexpected(text.isEmpty(), "scenario.a.someText", text);
        return text;
    }

    private static int headerCount(String text) {
        return (int) Quantities.count(text, 0, MOST_HEADERS);
    }
}
