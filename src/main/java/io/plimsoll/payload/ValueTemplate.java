package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.PayloadSource.ValueGenerator;
import io.plimsoll.text.Sentence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A text with <code>${sequence}</code> (from 0 on, or from N on with <code>${sequence:N}</code>),
 * <code>${timestamp}</code> (milliseconds of the intended time since the epoch),
 * <code>${random:N}</code> (N letters and digits) and <code>${uuid}</code>. Immutable.
 */
record ValueTemplate(List<Part> parts) {
    private static final List<String> KNOWN = List.of("${sequence}", "${timestamp}", "${random:N}", "${uuid}");
    private static final int MAX_RANDOM = 10_000_000;
    static final int UUID_BYTES = 36;

    sealed interface Part {}

    record Literal(byte[] utf8) implements Part {}

    record Sequence(long first) implements Part {}

    record Timestamp() implements Part {}

    record RandomText(int length) implements Part {}

    record Uuid() implements Part {}

    ValueTemplate {
        parts = List.copyOf(parts);
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) with the position of the error, in characters from 1 */
    static ValueTemplate parse(String text) {
        List<Part> parts = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf("${", at);
            int end = open < 0 ? text.length() : open;
            if (end > at) {
                parts.add(new Literal(text.substring(at, end).getBytes(StandardCharsets.UTF_8)));
            }
            if (open < 0) {
                break;
            }
            int close = text.indexOf('}', open);
            if (close < 0) {
                throw wrong("unclosed", "\"${\"", open + 1, "\"}\"");
            }
            parts.add(placeholder(text.substring(open + 2, close), open + 1));
            at = close + 1;
        }
        return new ValueTemplate(parts);
    }

    private static Part placeholder(String name, int position) {
        return switch (name) {
            case "sequence" -> new Sequence(0);
            case "timestamp" -> new Timestamp();
            case "uuid" -> new Uuid();
            default -> {
                if (name.startsWith("sequence:")) {
                    yield new Sequence(first(name.substring("sequence:".length()), position));
                }
                if (!name.startsWith("random:")) {
                    throw wrong("unknown", "${" + name + "}", position, KNOWN);
                }
                yield new RandomText(length(name.substring("random:".length()), position));
            }
        };
    }

    private static long first(String number, int position) {
        // Up to 18 digits, so that no run can count beyond the range.
        if (number.matches("[0-9]{1,18}")) {
            return Long.parseLong(number);
        }
        throw wrong("first", "${sequence:" + number + "}", position, "${sequence:1000}");
    }

    private static int length(String number, int position) {
        int length = number.matches("[0-9]{1,8}") ? Integer.parseInt(number) : 0;
        if (length < 1 || length > MAX_RANDOM) {
            throw wrong("length", "${random:" + number + "}", position, MAX_RANDOM, "${random:20}");
        }
        return length;
    }

    private static PlimsollException wrong(String key, Object... arguments) {
        return Exit.USAGE.because("payload.template", Sentence.of("payload.template." + key, arguments));
    }

    /** Fills in a template. Lengths differ only by the digits of numbers: one array is kept per length. */
    static final class TemplateValues implements ValueGenerator {
        private static final byte[] ALPHANUMERICS =
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
        private static final int TIMESTAMP_DIGITS = 13; // of today's milliseconds since the epoch, until the year 2286

        private final Part[] parts;
        private final int fixedBytes;
        private final int timestamps;
        private final long[] firsts;
        private final byte[][] byDigits;
        private final SplittableRandom random;

        TemplateValues(ValueTemplate template, long seed) {
            this.parts = template.parts().toArray(new Part[0]);
            this.random = new SplittableRandom(seed);
            this.fixedBytes = Math.toIntExact(template.parts().stream()
                    .mapToLong(TemplateValues::fixedBytes)
                    .sum());
            this.firsts = template.parts().stream()
                    .filter(Sequence.class::isInstance)
                    .mapToLong(part -> ((Sequence) part).first())
                    .toArray();
            this.timestamps = (int) template.parts().stream()
                    .filter(Timestamp.class::isInstance)
                    .count();
            this.byDigits = new byte[(firsts.length + timestamps) * Decimal.MAX_DIGITS + 1][];
        }

        /** Bytes of a part with a fixed length. */
        private static int fixedBytes(Part part) {
            if (part instanceof RandomText randomText) {
                return randomText.length();
            }
            if (part instanceof Literal text) {
                return text.utf8().length;
            }
            return part instanceof Uuid ? ValueTemplate.UUID_BYTES : 0;
        }

        @Override
        public byte[] next(long sequence, long intendedEpochNanos) {
            long timestamp = intendedEpochNanos / 1_000_000;
            byte[] value = arrayFor(sequenceDigits(sequence) + timestamps * Decimal.digits(timestamp));
            int at = 0;
            for (Part part : parts) {
                if (part instanceof Literal text) {
                    System.arraycopy(text.utf8(), 0, value, at, text.utf8().length);
                    at += text.utf8().length;
                } else if (part instanceof Sequence numbered) {
                    at = number(numbered.first() + sequence, value, at);
                } else if (part instanceof Timestamp) {
                    at = number(timestamp, value, at);
                } else if (part instanceof RandomText randomText) {
                    at = alphanumerics(randomText.length(), value, at);
                } else {
                    at = uuid(value, at);
                }
            }
            return value;
        }

        private int sequenceDigits(long sequence) {
            int digits = 0;
            for (long first : firsts) {
                digits += Decimal.digits(first + sequence);
            }
            return digits;
        }

        private byte[] arrayFor(int digits) {
            byte[] value = byDigits[digits];
            if (value == null) {
                value = new byte[fixedBytes + digits];
                byDigits[digits] = value;
            }
            return value;
        }

        private static int number(long number, byte[] value, int at) {
            int end = at + Decimal.digits(number);
            Decimal.write(number, value, end);
            return end;
        }

        private int alphanumerics(int length, byte[] value, int at) {
            for (int i = at; i < at + length; i++) {
                long bits = random.nextInt() & 0xffff_ffffL;
                value[i] = ALPHANUMERICS[(int) ((bits * ALPHANUMERICS.length) >>> 32)];
            }
            return at + length;
        }

        /** Version 4, variant 2, from this generator's seed. */
        private int uuid(byte[] value, int at) {
            long high = (random.nextLong() & ~0xf000L) | 0x4000L;
            long low = (random.nextLong() & ~(3L << 62)) | 2L << 62;
            int next = hex(high >>> 32, 8, value, at);
            next = hex(high >>> 16, 4, value, dash(value, next));
            next = hex(high, 4, value, dash(value, next));
            next = hex(low >>> 48, 4, value, dash(value, next));
            return hex(low, 12, value, dash(value, next));
        }

        private static int dash(byte[] value, int at) {
            value[at] = '-';
            return at + 1;
        }

        private static int hex(long bits, int digits, byte[] value, int at) {
            for (int i = 0; i < digits; i++) {
                value[at + i] = HEX[(int) (bits >>> (4 * (digits - 1 - i))) & 0xf];
            }
            return at + digits;
        }

        @Override
        public double meanBytes() {
            return fixedBytes
                    + firsts.length * KeySequence.TYPICAL_SEQUENCE_DIGITS
                    + (double) timestamps * TIMESTAMP_DIGITS;
        }

        @Override
        public int maxBytes() {
            return fixedBytes + firsts.length * Decimal.MAX_DIGITS + timestamps * TIMESTAMP_DIGITS;
        }
    }
}
