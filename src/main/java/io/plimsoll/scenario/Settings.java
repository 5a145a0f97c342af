package io.plimsoll.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The values of keys; a key without a value has its default. Immutable. Two settings are equal if all keys have equal values. */
public record Settings(Map<Key<?>, Object> values) {
    /** Settings in which every key has its default. */
    public static final Settings NONE = new Settings(Map.of());

    public Settings {
        values = Collections.unmodifiableMap(values);
    }

    @SuppressWarnings("unchecked")
    public <T> T get(Key<T> key) {
        Object value = values.get(key);
        return value == null ? key.fallback() : (T) value;
    }

    public <T> Settings with(Key<T> key, T value) {
        Map<Key<?>, Object> changed = new LinkedHashMap<>(values);
        if (value.equals(key.fallback())) {
            changed.remove(key);
        } else {
            changed.put(key, value);
        }
        return new Settings(changed);
    }

    /** These settings with changed Kafka properties. */
    @SuppressWarnings("unchecked")
    Settings withProperties(UnaryOperator<Map<String, String>> change) {
        Settings changed = this;
        for (Key<?> key : keys()) {
            if (key.content() == Key.Content.PROPERTIES) {
                Key<Map<String, String>> properties = (Key<Map<String, String>>) key;
                changed = changed.with(properties, change.apply(get(properties)));
            }
        }
        return changed;
    }

    /** These settings with some keys reset to their defaults. */
    public Settings without(Predicate<Key<?>> dropped) {
        Map<Key<?>, Object> left = new LinkedHashMap<>(values);
        left.keySet().removeIf(dropped);
        return new Settings(left);
    }

    /** The keys with a value other than the default, in the order in which they were set. */
    public Set<Key<?>> keys() {
        return values.keySet();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
