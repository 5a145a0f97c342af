package io.plimsoll.scenario;

import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A map of the file together with the keys that it may have. Reading a key never fails: a mistake is added to the
 * problems and the fallback returned, so that one reading finds every mistake.
 */
final class Form {
    private final Fields node;
    private final KeyShape.Section shape;
    private final String path;
    private final Problems problems;

    /** Reports every unknown key. */
    Form(Fields node, KeyShape.Section shape, String path, Problems problems) {
        this.node = node;
        this.shape = shape;
        this.path = path;
        this.problems = problems;
        node.fields().forEach((key, field) -> {
            if (!shape.keys().containsKey(key)) {
                String hint = Suggestions.hint(key, shape.keys().keySet());
                problems.add(field.keyAt(), path, "unknown key " + Texts.quoted(key) + hint);
            }
        });
    }

    /** A form per element of a list; what is not a list of maps is reported and left out. */
    static List<Form> list(YamlNode node, KeyShape.Entries shape, String path, Problems problems) {
        KeyShape.Section each = shape.each();
        List<Form> forms = new ArrayList<>();
        if (!(node instanceof Items items)) {
            problems.add(node.at(), path, "expected " + shape.expected() + ", found " + node.found());
            return forms;
        }
        for (int i = 0; i < items.values().size(); i++) {
            YamlNode element = items.values().get(i);
            String elementPath = path + "[" + i + "]";
            if (element instanceof Fields fields) {
                forms.add(new Form(fields, each, elementPath, problems));
            } else {
                problems.add(element.at(), elementPath, "expected " + each.expected() + ", found " + element.found());
            }
        }
        return forms;
    }

    /** The keys that it may have, in the order in which they are read. */
    Collection<Key<?>> keys() {
        return shape.keys().values();
    }

    boolean isEmptyList(String key) {
        return node(key)
                .filter(value -> value instanceof Items list && list.values().isEmpty())
                .isPresent();
    }

    boolean has(String key) {
        return node.fields().containsKey(key);
    }

    String path(String key) {
        return Texts.path(path, key);
    }

    /** A mistake in the value of a key or, if the key is missing, in this map. */
    void problem(String key, String message) {
        Field field = node.fields().get(key);
        problems.add(field == null ? node.at() : field.value().at(), field == null ? path : path(key), message);
    }

    /** A mistake in the key itself. */
    void problemAtKey(String key, String message) {
        problems.add(node.fields().get(key).keyAt(), path(key), message);
    }

    /** A mistake in this map as a whole. */
    void problem(String message) {
        problems.add(node.at(), path, message);
    }

    /** A mistake at a value inside this map. */
    void problem(YamlNode value, String key, String message) {
        problems.add(value.at(), path(key), message);
    }

    Optional<YamlNode> node(String key) {
        return Optional.ofNullable(node.fields().get(key)).map(Field::value);
    }

    /** Reports that a value is not what belongs at its key. */
    void unexpected(String key, YamlNode value) {
        problem(value, key, "expected " + shape.shape(key).expected() + ", found " + value.found());
    }

    /** The scalar at a key as written; absent, with a problem, if it is a list, a map or nothing. */
    Optional<String> scalar(String key) {
        YamlNode value = node(key).orElse(null);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Scalar scalar && scalar.kind() != Kind.NULL) {
            return Optional.of(scalar.text());
        }
        unexpected(key, value);
        return Optional.empty();
    }

    /**
     * Reads a scalar with a parser that throws {@link IllegalArgumentException} with what it expected.
     *
     * @return empty if the key is missing or, with a problem added, wrong
     */
    <T> Optional<T> read(String key, Function<String, T> parser) {
        return scalar(key).flatMap(text -> {
            try {
                return Optional.of(parser.apply(text));
            } catch (IllegalArgumentException e) {
                problem(key, e.getMessage());
                return Optional.empty();
            }
        });
    }

    /** As {@link #read}; a missing key is a mistake too. */
    <T> T required(String key, Function<String, T> parser, T fallback) {
        if (!has(key)) {
            problem("the key " + key + " is missing; expected "
                    + shape.shape(key).expected());
        }
        return read(key, parser).orElse(fallback);
    }

    int count(String key, int fallback, int most) {
        return read(key, text -> (int) Quantities.count(text, 1, most)).orElse(fallback);
    }

    boolean flag(String key, boolean fallback) {
        return choice(key, Map.of("true", true, "false", false)).orElse(fallback);
    }

    /** One of several words. */
    <T> Optional<T> choice(String key, Map<String, T> words) {
        return scalar(key).flatMap(text -> {
            T chosen = words.get(text);
            if (chosen == null) {
                wrongWord(key, text, words.keySet());
            }
            return Optional.ofNullable(chosen);
        });
    }

    /** Reports a scalar that is none of the words that a key knows. */
    void wrongWord(String key, String text, Collection<String> words) {
        String hint = Suggestions.nearest(text, words)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
        problem(key, "expected " + shape.shape(key).expected() + ", found " + Texts.quoted(text) + hint);
    }

    /** The map at a key that has keys of its own; absent if missing or, with a problem added, no map. */
    Optional<Form> form(String key) {
        return node(key).flatMap(value -> {
            if (value instanceof Fields fields) {
                return Optional.of(new Form(fields, (KeyShape.Section) shape.shape(key), path(key), problems));
            }
            unexpected(key, value);
            return Optional.empty();
        });
    }

    /** The forms in the list at a key. */
    List<Form> forms(String key) {
        KeyShape.Entries each = (KeyShape.Entries) shape.shape(key);
        return node(key).map(value -> list(value, each, path(key), problems)).orElse(List.of());
    }

    /** The map at a key that may hold any keys. */
    Optional<Fields> open(String key) {
        return node(key).flatMap(value -> {
            if (value instanceof Fields fields) {
                return Optional.of(fields);
            }
            unexpected(key, value);
            return Optional.empty();
        });
    }

    /** The map of scalars at a key, each as it was written. */
    Map<String, String> config(String key) {
        Map<String, String> config = new LinkedHashMap<>();
        open(key).ifPresent(fields -> fields.fields().forEach((name, field) -> {
            if (field.value() instanceof Scalar scalar && scalar.kind() != Kind.NULL) {
                config.put(name, scalar.text());
            } else {
                String found = field.value() instanceof Scalar
                        ? "nothing (write \"\" for an empty text)"
                        : field.value().found();
                problems.add(
                        field.value().at(),
                        Texts.path(path(key), name),
                        "expected a single value such as 5 or all, found " + found);
            }
        }));
        return Collections.unmodifiableMap(config);
    }

    /** A mistake in one property of the map of scalars at a key. */
    void configProblem(String key, String property, String message) {
        Field field = open(key).map(fields -> fields.fields().get(property)).orElse(null);
        if (field == null) {
            problem(key, message);
        } else {
            problems.add(field.value().at(), Texts.path(path(key), property), message);
        }
    }

    /** The one of several keys that is present; reports none and more than one. */
    Optional<String> only(List<String> alternatives, String expected) {
        List<String> present = alternatives.stream().filter(this::has).toList();
        if (present.size() == 1) {
            return Optional.of(present.get(0));
        }
        if (present.isEmpty()) {
            problem("expected " + expected);
        } else {
            problem("has both " + String.join(" and ", present) + "; keep one of them");
        }
        return Optional.empty();
    }
}
