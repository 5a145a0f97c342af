package io.plimsoll.scenario;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What may stand at a place of a scenario file. */
public sealed interface KeyShape {
    /** What belongs at the place, with an example, for messages. */
    String expected();

    /** A scalar or a list without keys of its own. */
    record Value(String expected) implements KeyShape {}

    /** A map with any keys; in a path, everything after it is one key. */
    record Open(String expected) implements KeyShape {}

    /** A list of sections. */
    record Entries(String expected, Section each) implements KeyShape {}

    /** A map with known keys by their names, in the order in which they are read; some can also be given in a short form. */
    record Section(String expected, Map<String, Key<?>> keys) implements KeyShape {
        public Section {
            keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
        }

        /** @throws IllegalArgumentException if two keys have one name */
        public static Section of(String expected, Key<?>... keys) {
            return new Section(expected, Map.of()).and(List.of(keys));
        }

        /** This section with more keys. */
        public Section and(Collection<? extends Key<?>> more) {
            Map<String, Key<?>> all = new LinkedHashMap<>(keys);
            for (Key<?> key : more) {
                if (all.put(key.name(), key) != null) {
                    throw new IllegalArgumentException("two keys have the name " + key.name());
                }
            }
            return new Section(expected, all);
        }

        /** This section, in which a key is read in another shape than it was declared with. */
        Section with(Key<?> key, KeyShape shape) {
            Map<String, Key<?>> all = new LinkedHashMap<>(keys);
            all.put(key.name(), key.shaped(shape));
            return new Section(expected, all);
        }

        KeyShape shape(String key) {
            return keys.get(key).shape();
        }

        /** The keys of this section and, in the order of the file, of everything below it. */
        public List<Key<?>> all() {
            List<Key<?>> all = new ArrayList<>();
            for (Key<?> key : keys.values()) {
                all.add(key);
                if (key.shape() instanceof Section section) {
                    all.addAll(section.all());
                } else if (key.shape() instanceof Entries entries) {
                    all.addAll(entries.each().all());
                }
            }
            return all;
        }

        /** The names of all keys, wherever they belong. */
        public Set<String> names() {
            Set<String> names = new TreeSet<>();
            all().forEach(key -> names.add(key.name()));
            return names;
        }
    }
}
