package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Entries;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * An entry of a scenario file while its keys are read, one after the other in the order of their section: what is
 * written there, and the values so far. Reading a key never fails: a mistake is added to the problems and the default
 * holds, so that one reading finds every mistake. Used by one thread.
 */
public final class EntryReading {
    private final Fields node;
    private final Section shape;
    private final String path;
    private final EntryReading parent;
    private final Scale scale;
    private final Problems problems;
    private Settings settings = Settings.NONE;

    /** A whole file. */
    EntryReading(Fields node, Section shape, Scale scale, Problems problems) {
        this(node, shape, "", null, scale, problems);
    }

    private EntryReading(Fields node, Section shape, String path, EntryReading parent, Scale scale, Problems problems) {
        this.node = node;
        this.shape = shape;
        this.path = path;
        this.parent = parent;
        this.scale = scale;
        this.problems = problems;
    }

    /** Reads all keys of the entry, holds their values against each other, and reports every unknown key. */
    EntryReading readAll() {
        node.fields().forEach((key, field) -> {
            if (!shape.keys().containsKey(key)) {
                Sentence hint = Suggestions.hint(key, shape.keys().keySet());
                problems.add(field.keyAt(), path, "scenario.unknownKey", Texts.quoted(key), hint);
            }
        });
        shape.keys().values().forEach(key -> settings = key.read(this, settings));
        shape.keys().values().forEach(key -> key.check(this));
        return this;
    }

    /** The entry in the map at a key; empty if the key is missing or, with a problem added, no map. */
    Optional<EntryReading> below(String key) {
        return map(key).map(fields -> below(fields, (Section) shape.shape(key), path(key)));
    }

    /** The entries of the list at a key; what is no map is reported and left out. */
    List<EntryReading> entries(String key) {
        List<EntryReading> entries = new ArrayList<>();
        YamlNode list = node(key).orElse(null);
        Section each = ((Entries) shape.shape(key)).each();
        if (list instanceof Items items) {
            for (int i = 0; i < items.values().size(); i++) {
                String element = path(key) + "[" + i + "]";
                if (items.values().get(i) instanceof Fields fields) {
                    entries.add(below(fields, each, element));
                } else {
                    unexpected(items.values().get(i), element, each.expected());
                }
            }
        } else if (list != null) {
            unexpected(key, list);
        }
        return entries;
    }

    private EntryReading below(Fields fields, Section keys, String at) {
        return new EntryReading(fields, keys, at, this, scale, problems).readAll();
    }

    Scale scale() {
        return scale;
    }

    /** The values that have been read. */
    public Settings settings() {
        return settings;
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    /** The value of a key without which the entry is wrong in view of others. */
    <T> T needed(Key<T> key) {
        require(key);
        return get(key);
    }

    void require(Key<?> key) {
        if (!has(key.name())) {
            problem("scenario.missing", key, key.shape().expected());
        }
    }

    /** The file as a whole, as far as it has been read. */
    public EntryReading whole() {
        return parent == null ? this : parent.whole();
    }

    /** The topics that the scenario has, by name. */
    Map<String, TopicSpec> topics() {
        return TopicSpec.byName(whole().get(ScenarioKeys.TOPICS));
    }

    /** Whether a key is written there, be its value right or wrong. */
    public boolean has(String key) {
        return node.fields().containsKey(key);
    }

    /** Whether something is written at a key that is not an empty list; be it right or wrong, so that one mistake is not reported twice. */
    boolean hasSome(String key) {
        return has(key) && !isEmptyList(key);
    }

    boolean isEmptyList(String key) {
        return node(key).orElse(null) instanceof Items list && list.values().isEmpty();
    }

    Optional<YamlNode> node(String key) {
        return Optional.ofNullable(node.fields().get(key)).map(Field::value);
    }

    String path(String key) {
        return Texts.path(path, key);
    }

    /** Adds a mistake in the entry as a whole. */
    public void problem(String sentence, Object... arguments) {
        problems.add(node.at(), path, sentence, arguments);
    }

    /** Adds a mistake in the value of a key or, if the key is missing, in the entry. */
    public void problemAt(String key, Sentence message) {
        Field field = node.fields().get(key);
        problems.add(field == null ? node.at() : field.value().at(), field == null ? path : path(key), message);
    }

    /** A mistake in the key itself. */
    void problemAtName(String key, Sentence message) {
        problems.add(node.fields().get(key).keyAt(), path(key), message);
    }

    /** A mistake at a value inside this entry. */
    void problemIn(YamlNode value, String key, Sentence message) {
        problems.add(value.at(), path(key), message);
    }

    /** A mistake in one property of the map of scalars at a key. */
    void problemInConfig(String key, String property, Sentence message) {
        Field field = node(key).orElse(null) instanceof Fields fields
                ? fields.fields().get(property)
                : null;
        if (field == null) {
            problemAt(key, message);
        } else {
            problemIn(field.value(), key + "." + property, message);
        }
    }

    /** Reports that a value is not what belongs at its key. */
    void unexpected(String key, YamlNode value) {
        unexpected(value, path(key), shape.shape(key).expected());
    }

    private void unexpected(YamlNode value, String at, Sentence expected) {
        problems.add(value.at(), at, "scenario.expected", expected, value.found(), Sentence.NONE);
    }

    /** The scalar at a key as written; absent, with a problem, if it is a list, a map or nothing. */
    Optional<String> scalar(String key) {
        YamlNode value = node(key).orElse(null);
        if (value instanceof Scalar scalar && !scalar.isNull()) {
            return Optional.of(scalar.text());
        } else if (value != null) {
            unexpected(key, value);
        }
        return Optional.empty();
    }

    /**
     * The scalar at a key, as a parser reads it.
     *
     * @param parser throws {@link InvalidValueException} with what it expected
     * @return empty if the key is missing or, with a problem added, wrong
     */
    public <T> Optional<T> read(String key, Function<String, T> parser) {
        return scalar(key).flatMap(text -> parsed(node(key).orElseThrow(), key, text, parser));
    }

    private <T> Optional<T> parsed(YamlNode value, String key, String text, Function<String, T> parser) {
        try {
            return Optional.of(parser.apply(text));
        } catch (InvalidValueException e) {
            problemIn(value, key, e.sentence());
            return Optional.empty();
        }
    }

    /**
     * The scalars of the list at a key, as a parser reads each.
     *
     * @param orOne a scalar alone is a list of one
     * @return empty if the list is or, with a problem added, anything in it is wrong
     */
    <T> Optional<List<T>> list(String key, boolean orOne, Function<String, T> parser) {
        YamlNode value = node(key).orElseThrow();
        if (orOne && value instanceof Scalar) {
            return read(key, parser).map(List::of);
        }
        if (!(value instanceof Items items) || items.values().isEmpty()) {
            unexpected(key, value);
            return Optional.empty();
        }
        List<T> values = new ArrayList<>();
        for (int i = 0; i < items.values().size(); i++) {
            String element = key + "[" + i + "]";
            if (items.values().get(i) instanceof Scalar scalar && !scalar.isNull()) {
                parsed(scalar, element, scalar.text(), parser).ifPresent(values::add);
            } else {
                unexpected(items.values().get(i), path(element), Sentence.of("scenario.a.single"));
            }
        }
        return values.size() < items.values().size() ? Optional.empty() : Optional.of(List.copyOf(values));
    }

    /** One of several words at a key; empty as with {@link #read}. */
    public <T> Optional<T> choice(String key, Map<String, T> words) {
        return scalar(key).flatMap(text -> {
            if (!words.containsKey(text)) {
                problemAt(
                        key,
                        Sentence.of(
                                "scenario.expected",
                                shape.shape(key).expected(),
                                Texts.quoted(text),
                                Suggestions.didYouMean(text, words.keySet())));
            }
            return Optional.ofNullable(words.get(text));
        });
    }

    /** The map at a key; absent if missing or, with a problem added, no map. */
    Optional<Fields> map(String key) {
        YamlNode value = node(key).orElse(null);
        if (value instanceof Fields fields) {
            return Optional.of(fields);
        } else if (value != null) {
            unexpected(key, value);
        }
        return Optional.empty();
    }

    /** The map of scalars at a key, each as it was written. */
    Map<String, String> config(String key) {
        Map<String, String> config = new LinkedHashMap<>();
        map(key).ifPresent(fields -> fields.fields().forEach((name, field) -> {
            if (field.value() instanceof Scalar scalar && !scalar.isNull()) {
                config.put(name, scalar.text());
            } else {
                String wrong = field.value() instanceof Scalar ? "scenario.noValue" : "scenario.noSingleValue";
                problemIn(
                        field.value(),
                        key + "." + Texts.shown(name),
                        Sentence.of(wrong, field.value().found()));
            }
        }));
        return Collections.unmodifiableMap(config);
    }

    /** The one of several keys that is present; reports none and more than one. */
    Optional<String> only(Collection<String> alternatives) {
        List<String> present = alternatives.stream().filter(this::has).toList();
        if (present.isEmpty()) {
            problem("scenario.oneOfKeys", Sentence.or(alternatives));
        } else if (present.size() > 1) {
            problem("scenario.hasBoth", present);
        }
        return present.size() == 1 ? Optional.of(present.get(0)) : Optional.empty();
    }
}
