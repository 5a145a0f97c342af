package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.SchemaSpec.Field;
import io.plimsoll.text.Sentence;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The rules of templates and of a schema's fields, as sources of values. Records which rules were used. */
public final class Rules {
    private static final long USUAL_MOST = 1_000_000;
    private static final int LEAST_LETTERS = 8;
    private static final int MOST_LETTERS = 16;
    private static final int MOST_ELEMENTS = 3;
    private static final Map<String, Long> UNITS =
            Map.of("s", 1_000_000_000L, "ms", 1_000_000L, "us", 1_000L, "ns", 1L);

    private final Map<String, Field> fields;
    private final Set<String> unused;

    public Rules(Map<String, Field> fields) {
        this.fields = fields;
        this.unused = new TreeSet<>(fields.keySet());
    }

    public static String path(String parent, String name) {
        return parent.isEmpty() ? name : parent + "." + name;
    }

    /** The rule of a field; null if none. */
    public @Nullable Field at(String path) {
        unused.remove(path);
        return fields.get(path);
    }

    /** Whether a rule exists for the field or for a field below it. */
    public boolean concern(String path) {
        return fields.keySet().stream().anyMatch(p -> p.equals(path) || p.startsWith(path + "."));
    }

    /** @throws PlimsollException for rules of fields that do not exist in the schema */
    public void requireUsed(String schema) {
        Exit.USAGE.when(
                !unused.isEmpty(), "schemas.noField", schema, Sentence.list(List.copyOf(unused), MOST_ELEMENTS));
    }

    public static PlimsollException misfit(String path, Object type) {
        return Exit.USAGE.because(
                "schemas.ruleMisfit", path, String.valueOf(type).toLowerCase(java.util.Locale.ROOT));
    }

    /** Generator of integers for a field, within the bounds of its type. */
    public ToLongFunction<Draw> longs(String path, long least, long most, ToLongFunction<Draw> usual) {
        Field rule = at(path);
        if (rule == null) {
            return usual;
        }
        if (rule instanceof Field.Between between) {
            long low = (long) Math.ceil(between.low());
            long high = (long) Math.floor(between.high());
            if (low < least || high > most || low > high) {
                throw misfit(path, "integer");
            }
            return high == Long.MAX_VALUE ? d -> d.random.nextLong() : d -> d.random.nextLong(low, high + 1);
        }
        if (rule instanceof Field.OneOf oneOf) {
            long[] values = oneOf.values().stream()
                    .mapToLong(text -> number(path, text, Long::parseLong))
                    .toArray();
            if (Arrays.stream(values).anyMatch(v -> v < least || v > most)) {
                throw misfit(path, "integer");
            }
            ToIntFunction<Draw> pick = pick(oneOf.weights());
            return d -> values[pick.applyAsInt(d)];
        }
        return counted(path, rule, "integer");
    }

    /** Generator of small integers, which are typical of most data. */
    public static ToLongFunction<Draw> small(long least, long most) {
        long low = Math.max(0, least);
        long high = Math.min(USUAL_MOST, most);
        return d -> d.random.nextLong(low, high + 1);
    }

    private static ToLongFunction<Draw> counted(String path, Field rule, String type) {
        if (rule instanceof Field.Sequence sequence) {
            return d -> sequence.first() + d.number;
        }
        if (rule instanceof Field.Now now && !now.equals(Field.Now.ISO)) {
            long unit = Objects.requireNonNull(UNITS.get(now.unit()));
            return d -> d.epochNanos / unit;
        }
        throw misfit(path, type);
    }

    private static <T> T number(String path, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (NumberFormatException e) {
            throw misfit(path, "number");
        }
    }

    public ToDoubleFunction<Draw> doubles(String path, double low, double high) {
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
            ToIntFunction<Draw> pick = pick(oneOf.weights());
            return d -> values[pick.applyAsInt(d)];
        }
        ToLongFunction<Draw> counted = counted(path, rule, "number");
        return counted::applyAsLong;
    }

    /** Generator of decimal numbers, as unscaled values. */
    public ToLongFunction<Draw> decimals(String path, int precision, int scale) {
        Field rule = at(path);
        long most = (long) Math.pow(10, Math.min(precision, 18)) - 1;
        if (rule == null) {
            return d -> d.random.nextLong(most + 1);
        }
        if (rule instanceof Field.Between between) {
            long low = BigDecimal.valueOf(between.low()).movePointRight(scale).longValue();
            long high = BigDecimal.valueOf(between.high()).movePointRight(scale).longValue();
            if (Math.abs(low) > most || Math.abs(high) > most) {
                throw misfit(path, "decimal");
            }
            return d -> d.random.nextLong(low, high + 1);
        }
        throw misfit(path, "decimal");
    }

    public ToIntFunction<Draw> booleans(String path) {
        return at(path) == null ? d -> d.random.nextInt(2) : symbols(path, List.of("false", "true"));
    }

    /** Generator of the index of one of these words. */
    public ToIntFunction<Draw> symbols(String path, List<String> words) {
        Field rule = at(path);
        if (rule == null) {
            return d -> d.random.nextInt(words.size());
        }
        if (rule instanceof Field.OneOf oneOf && words.containsAll(oneOf.values())) {
            int[] index = oneOf.values().stream().mapToInt(words::indexOf).toArray();
            ToIntFunction<Draw> pick = pick(oneOf.weights());
            return d -> index[pick.applyAsInt(d)];
        }
        throw misfit(path, String.join(" | ", words));
    }

    /** Generator of texts in {@link Draw#text}, as UTF-8; it returns the length. */
    public ToIntFunction<Draw> texts(String path) {
        return texts(path, LEAST_LETTERS, MOST_LETTERS);
    }

    public ToIntFunction<Draw> texts(String path, int least, int most) {
        return texts(path, at(path), least, most);
    }

    /** Generator of texts by a rule, or of letters and digits if the rule is null. */
    static ToIntFunction<Draw> texts(String path, @Nullable Field rule, int least, int most) {
        if (rule == null || rule instanceof Field.Size) {
            ToIntFunction<Draw> size = sizes(rule, least, most);
            return d -> d.letters(size.applyAsInt(d));
        }
        if (rule instanceof Field.OneOf oneOf) {
            byte[][] values = oneOf.values().stream()
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
            ToIntFunction<Draw> pick = pick(oneOf.weights());
            return d -> d.copy(values[pick.applyAsInt(d)]);
        }
        if (rule instanceof Field.Between between) {
            return numbers(between);
        }
        if (rule instanceof Field.Uuid) {
            return Draw::uuid;
        }
        if (rule.equals(Field.Now.ISO)) {
            return d -> d.copy(
                    Instant.ofEpochMilli(d.epochNanos / 1_000_000).toString().getBytes(StandardCharsets.US_ASCII));
        }
        ToLongFunction<Draw> numbers = counted(path, rule, "text");
        return d -> d.digits(numbers.applyAsLong(d));
    }

    /** Generator of numbers with the same number of decimals as the bounds. */
    private static ToIntFunction<Draw> numbers(Field.Between between) {
        BigDecimal low = BigDecimal.valueOf(between.low()).stripTrailingZeros();
        BigDecimal high = BigDecimal.valueOf(between.high()).stripTrailingZeros();
        int scale = Math.max(0, Math.max(low.scale(), high.scale()));
        long least = low.movePointRight(scale).longValueExact();
        long most = Math.addExact(high.movePointRight(scale).longValueExact(), 1);
        return scale == 0
                ? d -> d.digits(d.random.nextLong(least, most))
                : d -> d.copy(BigDecimal.valueOf(d.random.nextLong(least, most), scale)
                        .toPlainString()
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /** Generator of the lengths of binary fields. */
    public ToIntFunction<Draw> lengths(String path) {
        return sized(path, LEAST_LETTERS, MOST_LETTERS, "bytes");
    }

    /** Generator of the number of elements. */
    public ToIntFunction<Draw> elements(String path, int least, int most) {
        Field rule = fields.get(path);
        // A rule of another kind applies to each element.
        return rule instanceof Field.Size
                ? sized(path, least, most, "list")
                : sizes(null, least, Math.max(least, Math.min(most, MOST_ELEMENTS)));
    }

    public ToIntFunction<Draw> elements(String path) {
        return elements(path, 1, MOST_ELEMENTS);
    }

    private ToIntFunction<Draw> sized(String path, int least, int most, String type) {
        Field rule = at(path);
        if (rule != null && !(rule instanceof Field.Size)) {
            throw misfit(path, type);
        }
        return sizes(rule, least, most);
    }

    private static ToIntFunction<Draw> sizes(@Nullable Field rule, int least, int most) {
        int low = rule instanceof Field.Size size ? size.least() : least;
        int high = rule instanceof Field.Size size ? size.most() : most;
        return low == high ? d -> low : d -> d.random.nextInt(low, high + 1);
    }

    static ToIntFunction<Draw> pick(List<Double> weights) {
        if (weights.size() == 1) {
            return d -> 0;
        }
        double[] sums = weights.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.parallelPrefix(sums, Double::sum);
        double all = sums[sums.length - 1];
        return d -> {
            double at = d.random.nextDouble() * all;
            int i = 0;
            while (i < sums.length - 1 && at >= sums[i]) {
                i++;
            }
            return i;
        };
    }
}
