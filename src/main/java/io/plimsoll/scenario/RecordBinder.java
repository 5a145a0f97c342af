package io.plimsoll.scenario;

import io.plimsoll.scenario.RecordSpec.Headers;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.Sizes;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the values of {@link RecordKeys} that have forms of their own. */
final class RecordBinder {
    private static final int MOST_HEADERS = 1000;
    private static final int LONGEST_KEY = 1000;

    private RecordBinder() {}

    static Optional<RecordSpec> bind(EntryReading entry, String key) {
        return entry.below(key).map(record -> new RecordSpec(record.settings()));
    }

    static Optional<Sizes> sizes(EntryReading record, String key) {
        Form form = record.form();
        if (form.node(key).filter(YamlNode.Fields.class::isInstance).isEmpty()) {
            return form.read(key, Quantities::size).map(Sizes::new);
        }
        List<WeightedSize> mix = mix(form);
        return mix.isEmpty() ? Optional.empty() : Optional.of(new Sizes(mix));
    }

    private static List<WeightedSize> mix(Form form) {
        List<WeightedSize> mix = new ArrayList<>();
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

    static Optional<KeySpec> key(EntryReading record, String key) {
        if (record.form().node(key).orElseThrow() instanceof YamlNode.Fields) {
            return record.form().form(key).flatMap(RecordBinder::keyFrom);
        }
        return record.choice(
                key, Map.of("none", new KeySpec.None(), "sequential", new KeySpec.Sequential(KeySpec.Type.STRING)));
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

    static Optional<Payload> payload(EntryReading record, String key) {
        if (record.form().node(key).orElseThrow() instanceof YamlNode.Fields) {
            return record.form().form(key).flatMap(RecordBinder::payloadFrom);
        }
        return record.choice(
                key,
                Map.of(
                        "random",
                        new Payload.Random(),
                        "letters",
                        new Payload.Letters(),
                        "constant",
                        new Payload.Constant()));
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

    static Optional<Headers> headers(EntryReading record, String key) {
        if (record.form().node(key).orElseThrow() instanceof YamlNode.Fields) {
            return record.form().form(key).map(RecordBinder::headersFrom);
        }
        Headers none = Headers.NONE;
        return record.read(key, RecordBinder::headerCount)
                .map(count -> new Headers(count, none.keyBytes(), none.valueBytes()));
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
