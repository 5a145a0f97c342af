package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The shape of the value of a key in a scenario file. */
public sealed interface KeyShape {

    /** Describes a valid value, with an example, for messages. */
    Sentence expected();

    /** The keys of the map, or of each entry of a list; null for other values. */
    default @Nullable Section below() {
        return this instanceof Entries entries ? entries.each() : this instanceof Section section ? section : null;
    }

    /** @param words the only valid scalars; empty if any scalar is valid */
    record Value(Sentence expected, List<String> words) implements KeyShape {
        public Value(Sentence expected) {
            this(expected, List.of());
        }

        static Value of(Collection<String> words) {
            return new Value(Sentence.or(words), List.copyOf(words));
        }
    }

    /** A map with any keys; in a path, all text after the name of the map is one key. */
    record Open(Sentence expected) implements KeyShape {}

    /** A list of sections. */
    record Entries(Sentence expected, Section each) implements KeyShape {

        /** @param example example of one entry */
        static Entries of(String example, Collection<? extends Key<?>> keys) {
            Section each = new Section(Sentence.of("scenario.a.map", example), Map.of());
            return new Entries(Sentence.of("scenario.a.list", "[" + example + "]"), each.and(keys));
        }
    }

    /**
     * A map with known keys by their names, in the order in which they are read.
     *
     * @param words short forms: scalars that are valid instead of the map
     * @param scalar whether any scalar is valid
     */
    record Section(Sentence expected, Map<String, Key<?>> keys, List<String> words, boolean scalar)
            implements KeyShape {
        public Section {
            keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
            words = List.copyOf(words);
        }

        public Section(Sentence expected, Map<String, Key<?>> keys) {
            this(expected, keys, List.of(), false);
        }

        /** @throws IllegalArgumentException if two keys have the same name */
        public static Section of(String example, Key<?>... keys) {
            return new Section(Sentence.of("scenario.a.map", example), Map.of()).and(List.of(keys));
        }

        public Section and(Collection<? extends Key<?>> more) {
            Map<String, Key<?>> all = new LinkedHashMap<>(keys);
            for (Key<?> key : more) {
                Key<?> other = all.put(key.name(), key);
                if (other != null && !other.equals(key)) {
                    throw new IllegalArgumentException("two keys have the name " + key.name());
                }
            }
            return new Section(expected, all, words, scalar);
        }

        KeyShape shape(String key) {
            return key(key).shape();
        }

        Key<?> key(String key) {
            return Objects.requireNonNull(keys.get(key), key);
        }

        /** The keys of this section and all sections below it, by paths such as {@code producers.rate}. */
        public Map<String, Key<?>> byPath() {
            Map<String, Key<?>> all = new LinkedHashMap<>();
            keys.forEach((name, key) -> {
                all.put(name, key);
                Section below = key.shape().below();
                if (below != null) {
                    below.byPath().forEach((path, inner) -> all.put(name + "." + path, inner));
                }
            });
            return all;
        }

        public Set<String> names() {
            return byPath().values().stream().map(Key::name).collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
