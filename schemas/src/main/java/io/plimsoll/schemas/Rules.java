package io.plimsoll.schemas;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.Draw;
import io.plimsoll.payload.FieldValues;
import io.plimsoll.scenario.SchemaSpec.Field;
import io.plimsoll.text.Sentence;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The rules of a schema's fields, as sources of values. Records which rules were used. */
final class Rules {
    private static final long USUAL_MOST = 1_000_000;
    private static final int LEAST_LETTERS = 8;
    private static final int MOST_LETTERS = 16;
    private static final int MOST_ELEMENTS = 3;

    private final Map<String, Field> fields;
    private final Set<String> unused;

    Rules(Map<String, Field> fields) {
        this.fields = fields;
        this.unused = new TreeSet<>(fields.keySet());
    }

    static String path(String parent, String name) {
        return parent.isEmpty() ? name : parent + "." + name;
    }

    /** The rule of a field; null if none. */
    @Nullable Field at(String path) {
        unused.remove(path);
        return fields.get(path);
    }

    /** Whether a rule exists for the field or for a field below it. */
    boolean concern(String path) {
        return fields.keySet().stream().anyMatch(p -> p.equals(path) || p.startsWith(path + "."));
    }

    /** @throws PlimsollException for rules of fields that do not exist in the schema */
    void requireUsed(String schema) {
        Exit.USAGE.when(
                !unused.isEmpty(), "schemas.noField", schema, Sentence.list(List.copyOf(unused), MOST_ELEMENTS));
    }

    /** Generator of integers for a field, within the bounds of its type. */
    ToLongFunction<Draw> longs(String path, long least, long most, ToLongFunction<Draw> usual) {
        Field rule = at(path);
        if (rule == null) {
            return usual;
        }
        if (rule instanceof Field.Between between) {
            long low = (long) Math.ceil(between.low());
            long high = (long) Math.floor(between.high());
            if (low < least || high > most || low > high) {
                throw FieldValues.mismatch(path, "integer");
            }
            // As a double, the greatest long is rounded up, so the range need not contain it.
            long end = high == Long.MAX_VALUE ? high : high + 1;
            long first = Math.min(low, end - 1);
            return d -> d.random.nextLong(first, end);
        }
        if (rule instanceof Field.OneOf oneOf) {
            long[] values = oneOf.values().stream()
                    .mapToLong(text -> number(path, text, Long::parseLong))
                    .toArray();
            if (Arrays.stream(values).anyMatch(v -> v < least || v > most)) {
                throw FieldValues.mismatch(path, "integer");
            }
            ToIntFunction<Draw> pick = FieldValues.pick(oneOf.weights());
            return d -> values[pick.applyAsInt(d)];
        }
        return FieldValues.counted(path, rule, "integer");
    }

    /** Generator of small integers, which are typical of most data. */
    static ToLongFunction<Draw> small(long least, long most) {
        long low = Math.max(0, least);
        long high = Math.min(USUAL_MOST, most);
        return d -> d.random.nextLong(low, high + 1);
    }

    private static <T> T number(String path, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (NumberFormatException e) {
            throw FieldValues.mismatch(path, "number");
        }
    }

    ToDoubleFunction<Draw> doubles(String path, double low, double high) {
        Field rule = at(path);
        if (rule == null) {
            return d -> low + d.random.nextDouble() * (high - low);
        }
        if (rule instanceof Field.Between between) {
            double width = between.high() - between.low();
            return d -> between.low() + d.random.nextDouble() * width;
        }
        if (rule instanceof Field.OneOf oneOf) {
            double[] values = oneOf.values().stream()
                    .mapToDouble(text -> number(path, text, Double::parseDouble))
                    .toArray();
            ToIntFunction<Draw> pick = FieldValues.pick(oneOf.weights());
            return d -> values[pick.applyAsInt(d)];
        }
        ToLongFunction<Draw> counted = FieldValues.counted(path, rule, "number");
        return counted::applyAsLong;
    }

    /** Generator of decimal numbers, as unscaled values. */
    ToLongFunction<Draw> decimals(String path, int precision, int scale) {
        Field rule = at(path);
        long most = (long) Math.pow(10, Math.min(precision, 18)) - 1;
        if (rule == null) {
            return d -> d.random.nextLong(most + 1);
        }
        if (rule instanceof Field.Between between) {
            BigDecimal lowest = BigDecimal.valueOf(between.low()).movePointRight(scale);
            BigDecimal highest = BigDecimal.valueOf(between.high()).movePointRight(scale);
            if (lowest.abs().max(highest.abs()).compareTo(BigDecimal.valueOf(most)) > 0) {
                throw FieldValues.mismatch(path, "decimal");
            }
            long low = lowest.longValue();
            long high = highest.longValue();
            return d -> d.random.nextLong(low, high + 1);
        }
        throw FieldValues.mismatch(path, "decimal");
    }

    ToIntFunction<Draw> booleans(String path) {
        return at(path) == null ? d -> d.random.nextInt(2) : symbols(path, List.of("false", "true"));
    }

    /** Generator of the index of one of these words. */
    ToIntFunction<Draw> symbols(String path, List<String> words) {
        Field rule = at(path);
        if (rule == null) {
            return d -> d.random.nextInt(words.size());
        }
        if (rule instanceof Field.OneOf oneOf && words.containsAll(oneOf.values())) {
            int[] index = oneOf.values().stream().mapToInt(words::indexOf).toArray();
            ToIntFunction<Draw> pick = FieldValues.pick(oneOf.weights());
            return d -> index[pick.applyAsInt(d)];
        }
        throw FieldValues.mismatch(path, String.join(" | ", words));
    }

    /** Generator of texts in {@link Draw#text}, as UTF-8; it returns the length. */
    ToIntFunction<Draw> texts(String path) {
        return texts(path, LEAST_LETTERS, MOST_LETTERS);
    }

    ToIntFunction<Draw> texts(String path, int least, int most) {
        return FieldValues.texts(path, at(path), least, most);
    }

    /** Generator of the lengths of binary fields. */
    ToIntFunction<Draw> lengths(String path) {
        return sized(path, LEAST_LETTERS, MOST_LETTERS, "bytes");
    }

    /** Generator of the number of elements. */
    ToIntFunction<Draw> elements(String path, int least, int most) {
        Field rule = fields.get(path);
        // A rule of another kind applies to each element.
        return rule instanceof Field.Size
                ? sized(path, least, most, "list")
                : FieldValues.sizes(null, least, Math.max(least, Math.min(most, MOST_ELEMENTS)));
    }

    ToIntFunction<Draw> elements(String path) {
        return elements(path, 1, MOST_ELEMENTS);
    }

    private ToIntFunction<Draw> sized(String path, int least, int most, String type) {
        Field rule = at(path);
        if (rule != null && !(rule instanceof Field.Size)) {
            throw FieldValues.mismatch(path, type);
        }
        return FieldValues.sizes(rule, least, most);
    }
}
