package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.scenario.KeySpec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Generates the keys of a scenario. */
final class KeySequence {
    /** Assumed mean number of digits of a sequence number, since runs have millions of records. */
    static final double TYPICAL_SEQUENCE_DIGITS = 7;

    static KeyGenerator of(KeySpec spec, long seed, int threadIndex, int threadCount) {
        return spec instanceof KeySpec.Padded padded
                ? of(padded.numbers(), seed, threadIndex, threadCount, padded.bytes())
                : of(spec, seed, threadIndex, threadCount, 0);
    }

    private static KeyGenerator of(KeySpec spec, long seed, int threadIndex, int threadCount, int leastDigits) {
        if (spec instanceof KeySpec.None) {
            return new KeyGenerator(due -> null, 0);
        } else if (spec instanceof KeySpec.Fixed fixed) {
            byte[] key = fixedKey(fixed);
            return new KeyGenerator(due -> key, key.length);
        } else if (spec instanceof KeySpec.Sequential sequential) {
            return numbers(
                    steps(threadIndex, threadCount, Long.MAX_VALUE),
                    sequential.type(),
                    TYPICAL_SEQUENCE_DIGITS,
                    leastDigits);
        } else if (spec instanceof KeySpec.RoundRobin roundRobin) {
            long n = roundRobin.n();
            requireFits(n, roundRobin.type());
            long first = (long) ((double) threadIndex / threadCount * n);
            return numbers(steps(first, 1, n), roundRobin.type(), meanDigits(n), leastDigits);
        }
        SplittableRandom random = new SplittableRandom(seed);
        if (spec instanceof KeySpec.Uniform uniform) {
            long n = uniform.n();
            requireFits(n, uniform.type());
            return numbers(() -> random.nextLong(n), uniform.type(), meanDigits(n), leastDigits);
        }
        KeySpec.Zipf zipf = (KeySpec.Zipf) spec;
        requireFits(zipf.n(), zipf.type());
        ZipfSampler sampler = new ZipfSampler(zipf.s(), zipf.n());
        double digits = meanDigits(zipf.n(), (from, to) -> sampler.weight((long) from + 1, (long) to + 1));
        return numbers(() -> sampler.next(random) - 1, zipf.type(), digits, leastDigits);
    }

    private static void requireFits(long n, KeySpec.Type type) {
        Exit.USAGE.when(
                n < 1 || (type == KeySpec.Type.INTEGER && n > 1L << Integer.SIZE),
                "payload.tooManyKeys",
                n,
                type.name().toLowerCase(Locale.ROOT));
    }

    private static byte[] fixedKey(KeySpec.Fixed fixed) {
        if (fixed.type() == KeySpec.Type.STRING) {
            return fixed.value().getBytes(StandardCharsets.UTF_8);
        }
        try {
            long number = fixed.type() == KeySpec.Type.INTEGER
                    ? Integer.parseInt(fixed.value())
                    : Long.parseLong(fixed.value());
            return new KeyEncoder(fixed.type(), 0).encode(number);
        } catch (NumberFormatException e) {
            throw Exit.USAGE.because(
                    e,
                    "payload.keyNotANumber",
                    fixed.value(),
                    fixed.type().name().toLowerCase(Locale.ROOT));
        }
    }

    private static double meanDigits(long n) {
        return meanDigits(n, (from, to) -> to - from + 1);
    }

    /**
     * Mean number of digits of 0 to {@code n − 1}.
     * @param weight returns the total weight of a range of numbers
     */
    private static double meanDigits(long n, DoubleBinaryOperator weight) {
        double sum = 0;
        double weights = 0;
        long from = 0;
        for (int digits = 1; from < n; digits++) {
            double to = Math.min(n, Math.pow(10, digits)) - 1;
            double share = weight.applyAsDouble(from, to);
            weights += share;
            sum += share * digits;
            from = digits == Decimal.MAX_DIGITS ? n : (long) Math.pow(10, digits);
        }
        return sum / weights;
    }

    /** Counts up in equal steps, and starts again at 0 when it reaches {@code n}. */
    private static LongSupplier steps(long first, int step, long n) {
        long[] next = {first};
        return () -> {
            long number = next[0];
            next[0] = number + step == n ? 0 : number + step;
            return number;
        };
    }

    /** @param meanDigits mean number of digits, without leading zeros */
    private static KeyGenerator numbers(LongSupplier numbers, KeySpec.Type type, double meanDigits, int leastDigits) {
        KeyEncoder encoder = new KeyEncoder(type, leastDigits);
        double meanBytes =
                switch (type) {
                    case INTEGER -> Integer.BYTES;
                    case BYTES -> Long.BYTES;
                    case STRING -> Math.max(meanDigits, leastDigits);
                };
        return new KeyGenerator(due -> encoder.encode(numbers.getAsLong()), meanBytes);
    }

    /** Key numbers as bytes, in a reused array. Owned by one thread. */
    static final class KeyEncoder {
        private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

        private final KeySpec.Type type;
        private final byte[] padded;
        private final byte[] asInteger = new byte[Integer.BYTES];
        private final byte[] asLong = new byte[Long.BYTES];
        private final byte[][] byDigits = new byte[Decimal.MAX_DIGITS + 1][];

        /** @param leastDigits minimum number of digits; shorter numbers get leading zeros */
        KeyEncoder(KeySpec.Type type, int leastDigits) {
            this.type = type;
            this.padded = new byte[leastDigits];
            for (int digits = 1; digits < byDigits.length; digits++) {
                byDigits[digits] = new byte[digits];
            }
        }

        byte[] encode(long number) {
            return switch (type) {
                case INTEGER -> {
                    INT.set(asInteger, 0, (int) number);
                    yield asInteger;
                }
                case BYTES -> {
                    LONG.set(asLong, 0, number);
                    yield asLong;
                }
                case STRING -> {
                    int digits = Decimal.digits(number);
                    byte[] text = digits < padded.length ? padded : byDigits[digits];
                    Arrays.fill(text, 0, Math.max(0, text.length - digits), (byte) '0');
                    Decimal.write(number, text, text.length);
                    yield text;
                }
            };
        }
    }

    /**
     * The keys of one thread.
     * @param next returns the next key for a due time in ns since 1970, valid until the next call and read-only; null
     *     for records without a key
     */
    record KeyGenerator(LongFunction<byte @Nullable []> next, double meanBytes) {}
}
