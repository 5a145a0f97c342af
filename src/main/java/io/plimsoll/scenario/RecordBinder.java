package io.plimsoll.scenario;

import io.plimsoll.scenario.RecordSpec.Headers;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code record} with its keys, payload and headers. */
final class RecordBinder {
    static final int DEFAULT_SIZE = 1000;

    private static final KeySpec NO_KEY = new KeySpec.None();
    private static final Payload RANDOM = new Payload.Random();
    private static final RecordSpec DEFAULT = new RecordSpec(DEFAULT_SIZE, NO_KEY, RANDOM, 1.0, Headers.NONE);
    private static final int MOST_HEADERS = 1000;
    private static final int LONGEST_KEY = 1000;
    private static final int LARGEST_POOL = 1_000_000;

    private RecordBinder() {}

    static RecordSpec bind(Form producer) {
        return producer.form("record").map(RecordBinder::record).orElse(DEFAULT);
    }

    private static RecordSpec record(Form form) {
        List<WeightedSize> mix = mix(form);
        int size = mix.stream()
                .map(WeightedSize::size)
                .max(Comparator.naturalOrder())
                .orElseGet(() -> isMap(form, "size") ? DEFAULT_SIZE : oneSize(form));
        RecordSpec record = new RecordSpec(
                size,
                key(form),
                payload(form),
                form.read("randomBytesRatio", Quantities::ratio).orElse(1.0),
                headers(form),
                mix,
                form.has("pool") ? form.count("pool", 1, LARGEST_POOL) : 0);
        if (record.pool() > 0 && !(record.payload() instanceof Payload.Random)) {
            form.problem("pool", "is for random values; remove it or write payload: random");
        }
        return record;
    }

    private static boolean isMap(Form form, String key) {
        return form.node(key).filter(YamlNode.Fields.class::isInstance).isPresent();
    }

    private static int oneSize(Form form) {
        return form.read("size", Quantities::size).orElse(DEFAULT_SIZE);
    }

    /** Empty if the size is a single one. */
    private static List<WeightedSize> mix(Form form) {
        List<WeightedSize> mix = new ArrayList<>();
        if (!isMap(form, "size")) {
            return mix;
        }
        Map<String, String> weights = form.config("size");
        if (weights.isEmpty()) {
            form.problem("size", "expected sizes and their weights such as {100: 9, 1KB: 1}");
        }
        weights.forEach((size, weight) -> {
            try {
                mix.add(new WeightedSize(Quantities.size(size), weight(weight)));
            } catch (IllegalArgumentException e) {
                form.configProblem("size", size, e.getMessage());
            }
        });
        return mix;
    }

    private static double weight(String text) {
        double weight = Quantities.number(text);
        if (weight <= 0) {
            throw new IllegalArgumentException("expected a weight of more than 0, found " + Texts.quoted(text));
        }
        return weight;
    }

    private static KeySpec key(Form record) {
        YamlNode node = record.node("key").orElse(null);
        if (node instanceof YamlNode.Fields) {
            return record.form("key").flatMap(RecordBinder::keyFrom).orElse(NO_KEY);
        }
        return record.choice("key", Map.of("none", NO_KEY, "sequential", new KeySpec.Sequential(KeySpec.Type.STRING)))
                .orElse(NO_KEY);
    }

    private static Optional<KeySpec> keyFrom(Form form) {
        KeySpec.Type type = form.choice(
                        "type",
                        Map.of("int", KeySpec.Type.INTEGER, "string", KeySpec.Type.STRING, "bytes", KeySpec.Type.BYTES))
                .orElse(KeySpec.Type.STRING);
        Optional<String> kind = form.only(
                List.of("sequential", "uniform", "roundRobin", "zipf", "fixed"),
                "one of the keys sequential, uniform, roundRobin, zipf or fixed");
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        Optional<KeySpec> key = keyFrom(form, kind.get(), type);
        if (!form.has("size")) {
            return key;
        }
        if (type != KeySpec.Type.STRING || kind.get().equals("fixed")) {
            form.problem("size", "is for numbers of type string; remove it");
        }
        Optional<Integer> size = form.read("size", text -> (int) Quantities.count(text, 1, LONGEST_KEY));
        return key.map(numbers -> size.isPresent() ? new KeySpec.Padded(numbers, size.get()) : numbers);
    }

    private static Optional<KeySpec> keyFrom(Form form, String kind, KeySpec.Type type) {
        long most = type == KeySpec.Type.INTEGER ? 1L << 31 : Long.MAX_VALUE;
        return switch (kind) {
            case "sequential" -> form.choice("sequential", Map.of("true", new KeySpec.Sequential(type)));
            case "uniform" ->
                form.read(kind, text -> Quantities.count(text, 1, most)).map(n -> new KeySpec.Uniform(n, type));
            case "roundRobin" ->
                form.read(kind, text -> Quantities.count(text, 1, most)).map(n -> new KeySpec.RoundRobin(n, type));
            case "zipf" -> form.form("zipf").flatMap(zipf -> zipf(zipf, type, most));
            default -> form.read("fixed", text -> fixed(text, type));
        };
    }

    private static Optional<KeySpec> zipf(Form form, KeySpec.Type type, long most) {
        double s = form.required("s", RecordBinder::exponent, 1.0);
        long n = form.required("n", text -> Quantities.count(text, 1, most), 1L);
        return Optional.of(new KeySpec.Zipf(s, n, type));
    }

    private static double exponent(String text) {
        double exponent = Quantities.number(text);
        if (exponent <= 0 || exponent > 100) {
            throw new IllegalArgumentException(
                    "expected a number more than 0 such as 1.1, found " + Texts.quoted(text));
        }
        return exponent;
    }

    private static KeySpec fixed(String text, KeySpec.Type type) {
        if (type == KeySpec.Type.INTEGER) {
            Quantities.count(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
        } else if (type == KeySpec.Type.BYTES) {
            Quantities.count(text, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        return new KeySpec.Fixed(text, type);
    }

    private static Payload payload(Form record) {
        YamlNode node = record.node("payload").orElse(null);
        if (node instanceof YamlNode.Fields) {
            return record.form("payload").flatMap(RecordBinder::payloadFrom).orElse(RANDOM);
        }
        return record.choice(
                        "payload",
                        Map.of("random", RANDOM, "letters", new Payload.Letters(), "constant", new Payload.Constant()))
                .orElse(RANDOM);
    }

    private static Optional<Payload> payloadFrom(Form form) {
        Optional<String> kind =
                form.only(List.of("file", "files", "template"), "one of the keys file, files or template");
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        String delimiter = form.read("delimiter", RecordBinder::notEmpty).orElse("\n");
        if (kind.get().equals("file")) {
            return form.read("file", RecordBinder::notEmpty).map(path -> new Payload.File(path, delimiter));
        }
        if (form.has("delimiter")) {
            form.problem("delimiter", "belongs to file, not to " + kind.get());
        }
        if (kind.get().equals("files")) {
            return files(form);
        }
        return form.read("template", RecordBinder::notEmpty).map(Payload.Template::new);
    }

    private static Optional<Payload> files(Form form) {
        List<String> paths = new ArrayList<>();
        YamlNode list = form.node("files").orElseThrow();
        if (list instanceof YamlNode.Items items) {
            for (YamlNode path : items.values()) {
                if (path instanceof YamlNode.Scalar scalar && !scalar.text().isEmpty()) {
                    paths.add(scalar.text());
                } else {
                    form.unexpected("files", path);
                }
            }
        }
        if (paths.isEmpty()) {
            form.unexpected("files", list);
            return Optional.empty();
        }
        return Optional.of(new Payload.Files(paths));
    }

    private static String notEmpty(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("expected some text, found \"\"");
        }
        return text;
    }

    private static Headers headers(Form record) {
        YamlNode node = record.node("headers").orElse(null);
        if (node instanceof YamlNode.Fields) {
            return record.form("headers").map(RecordBinder::headersFrom).orElse(Headers.NONE);
        }
        Headers none = Headers.NONE;
        return record.read("headers", RecordBinder::headerCount)
                .map(count -> new Headers(count, none.keyBytes(), none.valueBytes()))
                .orElse(none);
    }

    private static Headers headersFrom(Form form) {
        Headers none = Headers.NONE;
        return new Headers(
                form.required("count", RecordBinder::headerCount, 0),
                form.read("keySize", Quantities::size).orElse(none.keyBytes()),
                form.read("valueSize", Quantities::size).orElse(none.valueBytes()));
    }

    private static int headerCount(String text) {
        return (int) Quantities.count(text, 0, MOST_HEADERS);
    }
}
