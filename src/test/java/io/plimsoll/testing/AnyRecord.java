package io.plimsoll.testing;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.text.Sentence;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Random instances of record classes with null, empty, ordinary, extreme, or hostile components. Deterministic for a
 * seed.
 */
public final class AnyRecord {
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "acks=all",
            "p99 < 5ms",
            "<img src=x onerror=alert(1)>",
            "</script><script>alert(1)</script>",
            "<!--",
            "\" onload=\"alert(1)",
            "{0} {{data}} ${x} {a|b}",
            "__proto__",
            "broker 1.x",
            "主题\u202e\u0000",
            "x".repeat(300));
    private static final double[] NUMBERS = {0, 1, -1, 0.5, 3, 1e3, 123456.789, 1e12, 1e300, -1e-9};
    private static final int MOST_DEPTH = 12;

    private final Random random;

    public AnyRecord(long seed) {
        this.random = new Random(seed);
    }

    public <T extends Record> T of(Class<T> type) {
        return type.cast(record(type, 0));
    }

    private Object record(Class<?> type, int depth) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            for (boolean nulls = true; ; nulls = false) {
                Object[] values = new Object[components.length];
                for (int i = 0; i < values.length; i++) {
                    // Never null when read from JSON: unwrapped, or with a rule for null.
                    boolean present = Stream.of(components[i].getAccessor().getAnnotations())
                            .map(Annotation::annotationType)
                            .anyMatch(kind -> kind == JsonUnwrapped.class
                                    || kind == JsonSetter.class
                                    || kind.isAnnotationPresent(JsonSetter.class));
                    values[i] = value(components[i].getGenericType(), depth + 1, nulls && !present);
                }
                try {
                    return constructor.newInstance(values);
                } catch (InvocationTargetException e) {
                    // Some records reject null, so no such result exists.
                    if (!nulls) {
                        throw e;
                    }
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(type + " cannot be made", e);
        }
    }

    private Object value(Type type, int depth, boolean nulls) {
        Class<?> raw = type instanceof ParameterizedType p ? (Class<?>) p.getRawType() : raw(type);
        if (nulls && !raw.isPrimitive() && random.nextInt(5) == 0) {
            return null;
        }
        Type[] of = type instanceof ParameterizedType p ? p.getActualTypeArguments() : new Type[0];
        if (raw == List.class) {
            List<Object> list = new ArrayList<>();
            for (int i = depth > MOST_DEPTH ? 0 : random.nextInt(3); i > 0; i--) {
                list.add(value(of[0], depth + 1, false));
            }
            return list;
        }
        if (raw == Map.class) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                Object[] keys = raw(of[0]).getEnumConstants();
                Object key = keys == null ? text() : keys[random.nextInt(keys.length)];
                map.put(key, value(of[1], depth + 1, false));
            }
            return map;
        }
        if (raw == Sentence.class) {
            return random.nextBoolean() ? Sentence.verbatim(text()) : Sentence.list(List.of(text(), text(), text()), 2);
        }
        return raw.isRecord() ? record(raw, depth) : scalar(raw);
    }

    private static Class<?> raw(Type type) {
        return type instanceof Class<?> c ? c : Object.class;
    }

    private Object scalar(Class<?> type) {
        double number = NUMBERS[random.nextInt(NUMBERS.length)];
        if (type == boolean.class || type == Boolean.class) {
            return random.nextBoolean();
        } else if (type == int.class || type == Integer.class) {
            return (int) number;
        } else if (type == long.class || type == Long.class) {
            return (long) number;
        } else if (type == double.class || type == Double.class) {
            return number;
        } else if (type == Instant.class) {
            return Instant.ofEpochSecond(random.nextInt());
        } else if (type == String.class) {
            return text();
        } else if (type == Object.class) {
            return random.nextBoolean() ? text() : (Object) number;
        }
        throw new AssertionError("no values of " + type);
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }
}
