package io.plimsoll.scenario;

import io.plimsoll.scenario.RecordSpec.Headers;
import io.plimsoll.scenario.RecordSpec.Payload;
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

    private RecordBinder() {}

    static RecordSpec bind(Form producer) {
        return producer.form("record").map(RecordBinder::record).orElse(DEFAULT);
    }

    private static RecordSpec record(Form form) {
        return new RecordSpec(
                form.read("size", Quantities::size).orElse(DEFAULT_SIZE),
                key(form),
                payload(form),
                form.read("randomBytesRatio", Quantities::ratio).orElse(1.0),
                headers(form));
    }

    private static KeySpec key(Form record) {
        Node node = record.node("key").orElse(null);
        if (node instanceof Node.Fields) {
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
                List.of("sequential", "uniform", "zipf", "fixed"),
                "one of the keys sequential, uniform, zipf or fixed");
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        long most = type == KeySpec.Type.INTEGER ? 1L << 31 : Long.MAX_VALUE;
        return switch (kind.get()) {
            case "sequential" -> form.choice("sequential", Map.of("true", new KeySpec.Sequential(type)));
            case "uniform" ->
                form.read(kind.get(), text -> Quantities.count(text, 1, most)).map(n -> new KeySpec.Uniform(n, type));
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
        Node node = record.node("payload").orElse(null);
        if (node instanceof Node.Fields) {
            return record.form("payload").flatMap(RecordBinder::payloadFrom).orElse(RANDOM);
        }
        return record.choice(
                        "payload",
                        Map.of("random", RANDOM, "letters", new Payload.Letters(), "constant", new Payload.Constant()))
                .orElse(RANDOM);
    }

    private static Optional<Payload> payloadFrom(Form form) {
        Optional<String> kind = form.only(List.of("file", "template"), "one of the keys file or template");
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        String delimiter = form.read("delimiter", RecordBinder::notEmpty).orElse("\n");
        if (kind.get().equals("file")) {
            return form.read("file", RecordBinder::notEmpty).map(path -> new Payload.File(path, delimiter));
        }
        if (form.has("delimiter")) {
            form.problem("delimiter", "belongs to file, not to template");
        }
        return form.read("template", RecordBinder::notEmpty).map(Payload.Template::new);
    }

    private static String notEmpty(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("expected some text, found \"\"");
        }
        return text;
    }

    private static Headers headers(Form record) {
        Node node = record.node("headers").orElse(null);
        if (node instanceof Node.Fields) {
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
