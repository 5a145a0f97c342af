package io.plimsoll.scenario;

import io.plimsoll.Secrets;
import io.plimsoll.scenario.KeyShape.Entries;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a scenario file, with the values read so far; keys are read in the order of their section. An error
 * becomes a problem and the default is used, so that one pass finds all errors. Used by one thread.
 */
public final class EntryReading {
    private final Fields node;
    private final Section shape;
    private final String path;
    private final @Nullable EntryReading parent;
    private final Scale scale;
    private final Problems problems;
    private Settings settings = Settings.NONE;

    EntryReading(Fields node, Section shape, Scale scale, Problems problems) {
        this(node, shape, "", null, scale, problems);
    }

    /** A complete file after all its keys have been read. */
    public static EntryReading of(Fields file, Section keys, Problems problems) {
        return new EntryReading(file, keys, new Scale(1), problems).readAll();
    }

    private EntryReading(
            Fields node, Section shape, String path, @Nullable EntryReading parent, Scale scale, Problems problems) {
        this.node = node;
        this.shape = shape;
        this.path = path;
        this.parent = parent;
        this.scale = scale;
        this.problems = problems;
    }

    /** Reads all keys of the entry, applies their rules, and reports every unknown key. */
    EntryReading readAll() {
        node.fields().forEach((key, field) -> {
            if (!shape.keys().containsKey(key)) {
                Sentence hint = Suggestions.key(key, key, shape, "");
                problems.add(field.keyAt(), path, "scenario.unknownKey", Texts.quoted(key), hint);
            }
        });
        shape.keys().values().forEach(key -> settings = key.read(this, settings));
        shape.keys().values().forEach(key -> key.check(this));
        return this;
    }

    /** The entry in the map at a key; empty if the key is missing, or if it is not a map, which adds a problem. */
    Optional<EntryReading> below(String key) {
        return map(key).map(fields -> below(fields, (Section) shape.shape(key), path(key)));
    }

    /** The entries of the list at a key; elements that are not maps are reported and skipped. */
    List<EntryReading> entries(String key) {
        List<EntryReading> entries = new ArrayList<>();
        Section each = ((Entries) shape.shape(key)).each();
        List<YamlNode> values = at(key, Items.class).map(Items::values).orElse(List.of());
        for (int i = 0; i < values.size(); i++) {
            String element = path(key) + "[" + i + "]";
            if (values.get(i) instanceof Fields fields) {
                entries.add(below(fields, each, element));
            } else {
                unexpected(
                        values.get(i).at(),
                        element,
                        each.expected(),
                        values.get(i).found());
            }
        }
        return entries;
    }

    private EntryReading below(Fields fields, Section keys, String at) {
        return new EntryReading(fields, keys, at, this, scale, problems).readAll();
    }

    Scale scale() {
        return scale;
    }

    public Fields fields() {
        return node;
    }

    public Settings settings() {
        return settings;
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    <T> T needed(Key<T> key) {
        require(key);
        return get(key);
    }

    public void require(Key<?> key) {
        if (!has(key.name())) {
            problem("scenario.missing", key, key.shape().expected());
        }
    }

    /** The whole file, as far as it has been read. */
    public EntryReading whole() {
        return parent == null ? this : parent.whole();
    }

    /** All topics of the scenario by name; empty if it names none. */
    public Map<String, TopicSpec> topics() {
        return TopicSpec.byName(whole().get(Scenario.TOPICS));
    }

    /** Whether the key exists, with a valid or invalid value. */
    public boolean has(String key) {
        return node.fields().containsKey(key);
    }

    /** Whether the key exists and is not an empty list; also true for an invalid value, which is reported only once. */
    public boolean hasSome(String key) {
        return has(key) && !isEmptyList(key);
    }

    boolean isEmptyList(String key) {
        return node(key).orElse(null) instanceof Items list && list.values().isEmpty();
    }

    public Optional<YamlNode> node(String key) {
        return Optional.ofNullable(node.fields().get(key)).map(Field::value);
    }

    String path(String key) {
        return Texts.path(path, key);
    }

    /** Adds a problem about the entry as a whole. */
    public void problem(String sentence, Object... arguments) {
        problems.add(node.at(), path, sentence, arguments);
    }

    /** Adds a problem about the value of a key or, if the key is missing, about the entry. */
    public void problemAt(String key, Sentence message) {
        Field field = node.fields().get(key);
        problems.add(field == null ? node.at() : field.value().at(), field == null ? path : path(key), message);
    }

    public void problemAt(String key, String sentence, Object... arguments) {
        problemAt(key, Sentence.of(sentence, arguments));
    }

    /** Adds a problem at a position inside this entry. */
    public void problemIn(Position at, String key, Sentence message) {
        problems.add(at, path(key), message);
    }

    public void problemIn(Position at, String key, String sentence, Object... arguments) {
        problemIn(at, key, Sentence.of(sentence, arguments));
    }

    /** Adds a problem about one value of the map at a key or, if the name is missing, about the map. */
    void problemInMap(String key, String name, Sentence message) {
        Field field = node(key).orElse(null) instanceof Fields fields
                ? fields.fields().get(name)
                : null;
        if (field == null) {
            problemAt(key, message);
        } else {
            problemIn(field.value().at(), key + "." + name, message);
        }
    }

    void unexpected(String key, YamlNode value) {
        boolean plain = shape.key(key).content() == Key.Content.PLAIN;
        YamlNode found = plain || !(value instanceof Scalar) ? value : Redaction.hidden(value);
        unexpected(value.at(), path(key), shape.shape(key).expected(), found.found());
    }

    private void unexpected(Position where, String at, Sentence expected, Sentence found) {
        problems.add(where, at, "scenario.expected", expected, found, Sentence.NONE);
    }

    /**
     * The scalar at a key as written; empty if the key is missing, or if the value is not a scalar, which adds a
     * problem.
     */
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
     * The parsed scalar at a key; empty if the key is missing, or if it is invalid, which adds a problem.
     *
     * @param parser throws {@link InvalidValueException}
     */
    public <T> Optional<T> read(String key, Function<String, T> parser) {
        return scalar(key).flatMap(text -> parsed(node(key).orElseThrow(), key, text, parser));
    }

    private <T> Optional<T> parsed(YamlNode value, String key, String text, Function<String, T> parser) {
        try {
            return Optional.of(parser.apply(text));
        } catch (InvalidValueException e) {
            problemIn(value.at(), key, e.sentence());
            return Optional.empty();
        }
    }

    /**
     * The parsed scalars of the list at a key; empty if the list is empty or an element is invalid, which adds a
     * problem.
     *
     * @param orOne whether a single scalar is also accepted
     */
    public <T> Optional<List<T>> list(String key, boolean orOne, Function<String, T> parser) {
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
                YamlNode wrong = items.values().get(i);
                unexpected(wrong.at(), path(element), Sentence.of("scenario.a.single"), wrong.found());
            }
        }
        return values.size() < items.values().size() ? Optional.empty() : Optional.of(List.copyOf(values));
    }

    /** The value for one of several words at a key; empty as with {@link #read}. */
    public <T> Optional<T> choice(String key, Map<String, T> words) {
        return read(key, text -> {
            if (!words.containsKey(text)) {
                Sentence near = Suggestions.didYouMean(text, words.keySet());
                throw new InvalidValueException(
                        "scenario.expected", shape.shape(key).expected(), Texts.quoted(text), near);
            }
            return words.get(text);
        });
    }

    /** The map at a key; empty if the key is missing, or if it is not a map, which adds a problem. */
    public Optional<Fields> map(String key) {
        return at(key, Fields.class);
    }

    private <N extends YamlNode> Optional<N> at(String key, Class<N> type) {
        node(key).filter(value -> !type.isInstance(value)).ifPresent(value -> unexpected(key, value));
        return node(key).filter(type::isInstance).map(type::cast);
    }

    Map<String, String> config(String key) {
        Map<String, String> config = new LinkedHashMap<>();
        map(key).ifPresent(fields -> fields.fields().forEach((name, field) -> {
            if (field.value() instanceof Scalar scalar && !scalar.isNull()) {
                config.put(name, scalar.text());
            } else {
                String wrong = field.value() instanceof Scalar ? "scenario.noValue" : "scenario.noSingleValue";
                problemIn(
                        field.value().at(),
                        key + "." + Texts.shown(name),
                        Sentence.of(wrong, field.value().found()));
            }
        }));
        if (shape.key(key).content() == Key.Content.PROPERTIES) {
            Secrets.learn(config);
        }
        return Collections.unmodifiableMap(config);
    }

    /** The only existing key of several alternatives; empty if none or several exist, which adds a problem. */
    Optional<String> only(Collection<String> alternatives) {
        List<String> present = alternatives.stream().filter(this::has).toList();
        if (present.isEmpty()) {
            problem("scenario.oneOfKeys", Sentence.or(alternatives));
        } else if (present.size() > 1) {
            problem("scenario.hasBoth", present);
        }
        return present.size() == 1 ? Optional.of(present.get(0)) : Optional.empty();
    }

    /** The factor of record counts and durations, above 0; sizes, rates and settings are not scaled. */
    record Scale(double factor) {
        private static final Duration SHORTEST = Duration.ofMillis(1);

        /** A scaled number of records, at least one. */
        long records(long records) {
            return isOne() ? records : Math.max(1, Math.round(records * factor));
        }

        /** A scaled duration, at least a millisecond unless the duration is zero. */
        Duration time(Duration time) {
            if (isOne() || time.isZero()) {
                return time;
            }
            Duration scaled = Duration.ofNanos(Math.round(time.toNanos() * factor));
            return scaled.compareTo(SHORTEST) < 0 ? SHORTEST : scaled;
        }

        boolean isOne() {
            return factor == 1;
        }
    }
}
