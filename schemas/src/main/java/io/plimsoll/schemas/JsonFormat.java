package io.plimsoll.schemas;

import org.jspecify.annotations.Nullable;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaException;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.SpecVersionDetector;
import com.networknt.schema.ValidationMessage;
import io.plimsoll.Exit;
import io.plimsoll.payload.Draw;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * JSON values for a JSON Schema. Values follow types, bounds, enumerations, formats, references inside the file, and
 * the first of several alternatives; the validator decides whether samples conform.
 */
record JsonFormat(JsonNode schema, JsonSchema validator, String label) implements SchemaFormat {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final int SAMPLES = 100;
    private static final int DEEPEST = 12;
    private static final long SAMPLE_EPOCH_NANOS = 1_700_000_000_000_000_000L;

    /** Writes one value. */
    private interface Node {
        void write(Draw draw, JsonGenerator out) throws IOException;
    }

    /** A property that all objects have, or only a random half of them. */
    private record Property(String name, boolean always, Node value) {}

    static JsonFormat of(String text, String label) {
        try {
            JsonNode schema = MAPPER.readTree(text);
            SpecVersion.VersionFlag version =
                    SpecVersionDetector.detectOptionalVersion(schema, false).orElse(SpecVersion.VersionFlag.V202012);
            return new JsonFormat(schema, JsonSchemaFactory.getInstance(version).getSchema(schema), label);
        } catch (JsonProcessingException | RuntimeException e) {
            throw Exit.USAGE.because(e, "schemas.invalid", label, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Body body(Rules rules) {
        Node node = node(schema, "", rules, 0);
        JsonFactory factory = MAPPER.getFactory();
        Body body = (draw, sink) -> {
            try (JsonGenerator out = factory.createGenerator(sink)) {
                node.write(draw, out);
            }
        };
        sample(body);
        return body;
    }

    private void sample(Body body) {
        Draw draw = new Draw(0);
        draw.epochNanos = SAMPLE_EPOCH_NANOS;
        Draw.Sink sink = new Draw.Sink();
        try {
            for (int i = 0; i < SAMPLES; i++) {
                draw.number = i;
                sink.clear();
                body.write(draw, sink);
                Set<ValidationMessage> wrong =
                        validator.validate(MAPPER.readTree(sink.bytes(), 0, sink.length()));
                if (!wrong.isEmpty()) {
                    throw Exit.USAGE.because(
                            "schemas.notGenerated", label, wrong.iterator().next().getMessage());
                }
            }
        } catch (IOException | JsonSchemaException e) {
            throw Exit.USAGE.because(e, "schemas.notGenerated", label, String.valueOf(e.getMessage()));
        }
    }

    private Node node(JsonNode at, String path, Rules rules, int depth) {
        JsonNode ref = at.get("$ref");
        if (depth > DEEPEST) {
            throw Exit.USAGE.because("schemas.endless", label);
        }
        if (ref != null) {
            Exit.USAGE.when(!ref.asText().matches("#(/.*)?"), "schemas.reference", label, ref.asText());
            return node(schema.at(ref.asText().substring(1)), path, rules, depth + 1);
        }
        for (String several : List.of("oneOf", "anyOf", "allOf")) {
            if (at.has(several) && !at.has("type")) {
                return node(chosen(at.get(several)), path, rules, depth + 1);
            }
        }
        if (at.has("const")) {
            JsonNode value = at.get("const");
            return (d, out) -> out.writeTree(value);
        }
        if (at.has("enum")) {
            return words(at.get("enum"), path, rules);
        }
        return switch (type(at)) {
            case "object" -> object(at, path, rules, depth);
            case "array" -> array(at, path, rules, depth);
            case "integer" -> integer(at, path, rules);
            case "number" -> number(at, path, rules);
            case "boolean" -> {
                ToIntFunction<Draw> booleans = rules.booleans(path);
                yield (d, out) -> out.writeBoolean(booleans.applyAsInt(d) == 1);
            }
            case "null" -> (d, out) -> out.writeNull();
            default -> text(at, path, rules);
        };
    }

    private static JsonNode chosen(JsonNode alternatives) {
        return StreamSupport.stream(alternatives.spliterator(), false)
                .filter(each -> !type(each).equals("null"))
                .findFirst()
                .orElse(alternatives.path(0));
    }

    /** The first type that is not {@code null}. */
    private static String type(JsonNode at) {
        JsonNode type = at.get("type");
        if (type == null) {
            return at.has("properties") ? "object" : at.has("items") ? "array" : "string";
        }
        if (type.isArray()) {
            for (JsonNode each : type) {
                if (!each.asText().equals("null")) {
                    return each.asText();
                }
            }
        }
        return type.asText("null");
    }

    private static Node words(JsonNode all, String path, Rules rules) {
        List<JsonNode> values = new ArrayList<>();
        all.forEach(values::add);
        ToIntFunction<Draw> index =
                rules.symbols(path, values.stream().map(JsonNode::asText).toList());
        return (d, out) -> out.writeTree(values.get(index.applyAsInt(d)));
    }

    private Node object(JsonNode at, String path, Rules rules, int depth) {
        Set<String> required = StreamSupport.stream(at.path("required").spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.toSet());
        List<Property> properties = new ArrayList<>();
        for (Map.Entry<String, JsonNode> each : at.path("properties").properties()) {
            String below = Rules.path(path, each.getKey());
            boolean always = required.contains(each.getKey()) || rules.concern(below);
            if (always || depth < DEEPEST / 2) {
                properties.add(new Property(each.getKey(), always, node(each.getValue(), below, rules, depth + 1)));
            }
        }
        return (d, out) -> {
            out.writeStartObject();
            for (Property property : properties) {
                if (property.always() || d.random.nextBoolean()) {
                    out.writeFieldName(property.name());
                    property.value().write(d, out);
                }
            }
            out.writeEndObject();
        };
    }

    private Node array(JsonNode at, String path, Rules rules, int depth) {
        ToIntFunction<Draw> sizes = rules.elements(
                path, at.path("minItems").asInt(1), at.path("maxItems").asInt(Integer.MAX_VALUE));
        Node element = node(at.path("items"), path, rules, depth + 1);
        return (d, out) -> {
            out.writeStartArray();
            for (int left = sizes.applyAsInt(d); left > 0; left--) {
                element.write(d, out);
            }
            out.writeEndArray();
        };
    }

    private static Node integer(JsonNode at, String path, Rules rules) {
        long low = (long) Math.ceil(bound(at, "minimum", "exclusiveMinimum", 1, Long.MIN_VALUE));
        long high = (long) Math.floor(bound(at, "maximum", "exclusiveMaximum", -1, Long.MAX_VALUE));
        long step = Math.max(1, at.path("multipleOf").asLong(1));
        long first = Math.floorDiv(Math.max(low, Math.min(0, high)) + step - 1, step);
        long steps = (Math.min(high, first * step + 1_000_000) - first * step) / step;
        ToLongFunction<Draw> numbers = rules.longs(
                path, low, high, d -> (first + d.random.nextLong(Math.max(0, steps) + 1)) * step);
        return (d, out) -> out.writeNumber(numbers.applyAsLong(d));
    }

    private static Node number(JsonNode at, String path, Rules rules) {
        double low = bound(at, "minimum", "exclusiveMinimum", 0.001, 0);
        double high = bound(at, "maximum", "exclusiveMaximum", -0.001, Math.max(0, low) + 1000);
        ToDoubleFunction<Draw> numbers = rules.doubles(path, Math.min(low, high), high);
        return (d, out) -> out.writeNumber(Math.rint(numbers.applyAsDouble(d) * 1e6) / 1e6);
    }

    private static double bound(JsonNode at, String inclusive, String exclusive, double step, double otherwise) {
        return at.has(inclusive)
                ? at.get(inclusive).asDouble()
                : at.path(exclusive).isNumber() ? at.get(exclusive).asDouble() + step : otherwise;
    }

    private static Node text(JsonNode at, String path, Rules rules) {
        boolean own = !rules.concern(path);
        String format = own ? at.path("format").asText("").toLowerCase(Locale.ROOT) : "";
        switch (format) {
            case "date-time":
                return (d, out) -> out.writeString(
                        Instant.ofEpochMilli(d.epochNanos / 1_000_000).toString());
            case "date":
                return (d, out) -> out.writeString(
                        Instant.ofEpochMilli(d.epochNanos / 1_000_000).toString().substring(0, 10));
            case "uuid":
                return (d, out) -> {
                    int length = d.uuid();
                    out.writeRawUTF8String(d.text, 0, length);
                };
            case "email":
                return (d, out) -> out.writeString(letters(d, 10) + "@example.com");
            case "uri":
                return (d, out) -> out.writeString("https://example.com/" + letters(d, 10));
            case "ipv4":
                return (d, out) -> out.writeString("192.0.2." + d.random.nextInt(256));
            default:
                int least = at.path("minLength").asInt(0);
                int most = at.path("maxLength").asInt(Integer.MAX_VALUE);
                int low = Math.max(least, Math.min(8, most));
                ToIntFunction<Draw> texts = rules.texts(path, low, Math.max(low, Math.min(most, Math.max(16, low))));
                return (d, out) -> {
                    int length = texts.applyAsInt(d);
                    out.writeUTF8String(d.text, 0, length);
                };
        }
    }

    private static String letters(Draw d, int count) {
        int length = d.letters(count);
        return new String(d.text, 0, length, StandardCharsets.US_ASCII);
    }

    @Override
    public Decoder decoder() {
        return new Decoder() {
            @Override
            public Object decode(byte[] bytes, int from, int length) throws IOException {
                JsonNode read = MAPPER.readTree(bytes, from, length);
                Set<ValidationMessage> wrong = validator.validate(read);
                if (read.isMissingNode() || !wrong.isEmpty()) {
                    throw new IOException("not in the schema");
                }
                return read;
            }

            @Override
            public @Nullable Object child(Object parent, String name) {
                JsonNode child = ((JsonNode) parent).get(name);
                return child == null || child.isNull() ? null : child;
            }
        };
    }
}
