package io.plimsoll.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The values of keys; a key without a value has its default. Immutable; equal if all keys have equal values. */
public final class Settings {
    /** Every key has its default. */
    public static final Settings NONE = new Settings(Map.of());

    private final Map<Key<?>, Object> values;

    private Settings(Map<Key<?>, Object> values) {
        this.values = Collections.unmodifiableMap(values);
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

    /** These settings, with another value of each key whose value is a map of Kafka's properties. */
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

    /** These settings, in which some keys have their defaults again. */
    public Settings without(Predicate<Key<?>> dropped) {
        Map<Key<?>, Object> left = new LinkedHashMap<>(values);
        left.keySet().removeIf(dropped);
        return new Settings(left);
    }

    /** The keys that have another value than their default, in the order in which they were given it. */
    public Set<Key<?>> keys() {
        return values.keySet();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Settings settings && values.equals(settings.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
