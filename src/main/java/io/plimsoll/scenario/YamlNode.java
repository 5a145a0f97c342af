package io.plimsoll.scenario;

import io.plimsoll.Secrets;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A YAML value with its position in the source. Lists and maps are mutable, so that overrides can be applied before the
 * tree is interpreted; {@link #copy()} separates trees. Not thread-safe.
 */
public sealed interface YamlNode {
    Position at();

    /** A deep copy (positions and scalars are immutable and shared). */
    YamlNode copy();

    /** Describes the value, for messages. */
    Sentence found();

    /** The value on one line, for example {@code {ramp: [1000/s, 2000/s], over: 30s}}; for names and parameters, not for YAML. */
    String inline();

    /** The type of a scalar in YAML 1.2. */
    enum Kind {
        TEXT,
        /** Text of a block after {@code |} or {@code >}. */
        LINES,
        NUMBER,
        BOOLEAN,
        NULL
    }

    /** @param text text as written, without quotes */
    record Scalar(Position at, String text, Kind kind) implements YamlNode {
        boolean isNull() {
            return kind == Kind.NULL;
        }

        @Override
        public YamlNode copy() {
            return this;
        }

        @Override
        public Sentence found() {
            if (isNull()) {
                return Sentence.of("scenario.nothing");
            }
            // Properties that are written as text instead of a map can contain any text, even a secret.
            return Sentence.of("scenario.text", Texts.quoted(Secrets.isSecret(text) ? Secrets.HIDDEN : text));
        }

        @Override
        public String inline() {
            return isNull() ? "null" : text;
        }
    }

    /** @param flow whether it is written as {@code [a, b]} */
    record Items(Position at, List<YamlNode> values, boolean flow) implements YamlNode {
        @Override
        public YamlNode copy() {
            List<YamlNode> copies = new ArrayList<>(values.size());
            values.forEach(value -> copies.add(value.copy()));
            return new Items(at, copies, flow);
        }

        @Override
        public Sentence found() {
            return Sentence.of("scenario.aList");
        }

        @Override
        public String inline() {
            List<String> parts = values.stream().map(YamlNode::inline).toList();
            return "[" + String.join(", ", parts) + "]";
        }
    }

    /** @param flow whether it is written as <code>{a: b}</code> */
    record Fields(Position at, Map<String, Field> fields, boolean flow) implements YamlNode {

        @Nullable
        YamlNode value(String key) {
            Field field = fields.get(key);
            return field == null ? null : field.value();
        }

        public static Fields empty(Position at) {
            return new Fields(at, new LinkedHashMap<>(), true);
        }

        @Override
        public Fields copy() {
            Map<String, Field> copies = new LinkedHashMap<>();
            fields.forEach((key, field) ->
                    copies.put(key, new Field(field.keyAt(), field.value().copy())));
            return new Fields(at, copies, flow);
        }

        @Override
        public Sentence found() {
            return Sentence.of("scenario.aMap");
        }

        @Override
        public String inline() {
            List<String> parts = fields.entrySet().stream()
                    .map(e -> e.getKey() + ": " + e.getValue().value().inline())
                    .toList();
            return "{" + String.join(", ", parts) + "}";
        }
    }

    /** The position of a key, and its value. */
    record Field(Position keyAt, YamlNode value) {}
}
