package io.plimsoll.scenario;

import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.text.Sentence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The possible forms of a value: a word, another scalar, or a map in which one key selects the form. Used by one thread. */
final class Forms<T> {
    private final Map<String, T> words = new LinkedHashMap<>();
    private final Map<String, Form<T>> forms = new LinkedHashMap<>();
    private final Map<String, Key<?>> keys = new LinkedHashMap<>();
    private @Nullable Function<String, T> scalar;
    private Function<EntryReading, T> map = this::chosen;

    /** @param own keys that are valid only in this form */
    private record Form<T>(Function<EntryReading, T> made, List<Key<?>> own) {}

    Forms<T> word(String word, T value) {
        words.put(word, value);
        return this;
    }

    /** @param parser parses any other scalar; throws {@link InvalidValueException} */
    Forms<T> scalar(Function<String, T> parser) {
        scalar = parser;
        return this;
    }

    <V> Forms<T> form(Key<V> key, Function<V, T> made) {
        return form(key, (entry, value) -> made.apply(value));
    }

    /** Adds the form of a map with this key, and keys that are valid only in this form. */
    <V> Forms<T> form(Key<V> key, BiFunction<EntryReading, V, T> made, Key<?>... own) {
        forms.put(key.name(), new Form<>(entry -> made.apply(entry, entry.get(key)), List.of(own)));
        return keys(key).keys(own);
    }

    Forms<T> keys(Key<?>... more) {
        List.of(more).forEach(key -> keys.put(key.name(), key));
        return this;
    }

    /** Adds a form for maps that no single key identifies; the value is created from the whole map. */
    Forms<T> map(Function<EntryReading, T> made) {
        map = made;
        return this;
    }

    /** @param type type of the value, for the messages to agents */
    Key<T> key(String name, Sentence expected, T fallback, Class<T> type) {
        return Key.of(name, shape(expected), fallback, this::read, type);
    }

    KeyShape.Section shape(Sentence expected) {
        return new KeyShape.Section(expected, keys, List.copyOf(words.keySet()), scalar != null);
    }

    /** The value of an existing key; empty if it is invalid, which adds a problem. */
    Optional<T> read(EntryReading entry, String key) {
        if (entry.node(key).orElseThrow() instanceof Fields) {
            return entry.below(key).map(map);
        }
        return scalar == null || entry.scalar(key).filter(words::containsKey).isPresent()
                ? entry.choice(key, words)
                : entry.read(key, scalar);
    }

    /** The value of the form that the entry uses; null unless the entry has the key of exactly one form. */
    private @Nullable T chosen(EntryReading entry) {
        String chosen = entry.only(forms.keySet()).orElse(null);
        if (chosen == null) {
            return null;
        }
        forms.forEach((name, form) -> form.own().stream()
                .filter(key -> !name.equals(chosen) && entry.has(key.name()))
                .forEach(key -> entry.problemAt(key.name(), "scenario.belongsTo", name, chosen)));
        return Objects.requireNonNull(forms.get(chosen)).made().apply(entry);
    }
}
