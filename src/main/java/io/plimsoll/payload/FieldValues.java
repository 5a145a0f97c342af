package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.SchemaSpec.Field;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Generators of values from a field's rule, for templates and schemas. */
public final class FieldValues {
    private static final Map<String, Long> UNITS =
            Map.of("s", 1_000_000_000L, "ms", 1_000_000L, "us", 1_000L, "ns", 1L);

    private FieldValues() {}

    public static PlimsollException mismatch(String path, Object type) {
        return Exit.USAGE.because(
                "schemas.ruleMisfit", path, String.valueOf(type).toLowerCase(Locale.ROOT));
    }

    /** Generator of numbers from a record's position or time. */
    public static ToLongFunction<Draw> counted(String path, Field rule, String type) {
        if (rule instanceof Field.Sequence sequence) {
            return d -> sequence.first() + d.number;
        }
        if (rule instanceof Field.Now now && !now.equals(Field.Now.ISO)) {
            long unit = Objects.requireNonNull(UNITS.get(now.unit()));
            return d -> d.epochNanos / unit;
        }
        throw mismatch(path, type);
    }

    /** Generator of texts from a rule, or of letters and digits if the rule is null. */
    public static ToIntFunction<Draw> texts(String path, @Nullable Field rule, int least, int most) {
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
            return numbers(path, between);
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
    private static ToIntFunction<Draw> numbers(String path, Field.Between between) {
        BigDecimal low = BigDecimal.valueOf(between.low()).stripTrailingZeros();
        BigDecimal high = BigDecimal.valueOf(between.high()).stripTrailingZeros();
        int scale = Math.max(0, Math.max(low.scale(), high.scale()));
        BigDecimal limit = BigDecimal.valueOf(Long.MAX_VALUE);
        if (low.abs().max(high.abs()).movePointRight(scale).compareTo(limit) >= 0) {
            throw mismatch(path, "number");
        }
        long least = low.movePointRight(scale).longValueExact();
        long most = high.movePointRight(scale).longValueExact() + 1;
        return scale == 0
                ? d -> d.digits(d.random.nextLong(least, most))
                : d -> d.copy(BigDecimal.valueOf(d.random.nextLong(least, most), scale)
                        .toPlainString()
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /** Generator of sizes from a rule, or within these bounds if the rule is of another kind or null. */
    public static ToIntFunction<Draw> sizes(@Nullable Field rule, int least, int most) {
        int low = rule instanceof Field.Size size ? size.least() : least;
        int high = rule instanceof Field.Size size ? size.most() : most;
        return low == high ? d -> low : d -> d.random.nextInt(low, high + 1);
    }

    /** Generator of indexes with these weights. */
    public static ToIntFunction<Draw> pick(List<Double> weights) {
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
