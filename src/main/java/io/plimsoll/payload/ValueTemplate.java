package io.plimsoll.payload;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A text with <code>${sequence}</code> (from 0 on, or from N on with <code>${sequence:N}</code>),
 * <code>${timestamp}</code> (milliseconds of the intended time since the epoch),
 * <code>${random:N}</code> (N letters and digits) and <code>${uuid}</code>. Immutable.
 */
record ValueTemplate(List<Part> parts) {
    private static final String KNOWN = "${sequence}, ${timestamp}, ${random:N} and ${uuid}";
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

    /** @throws IllegalArgumentException with the position (in characters, from 1) of what is wrong */
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
                throw new IllegalArgumentException("\"${\" at character " + (open + 1) + " is never closed by \"}\"");
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
                    throw new IllegalArgumentException(
                            "unknown ${" + name + "} at character " + position + "; known are " + KNOWN);
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
        throw new IllegalArgumentException("${sequence:" + number + "} at character " + position
                + " needs the number to begin with, such as ${sequence:1000}");
    }

    private static int length(String number, int position) {
        try {
            int length = Integer.parseInt(number);
            if (length >= 1 && length <= MAX_RANDOM) {
                return length;
            }
        } catch (NumberFormatException e) {
            // answered below, as a number out of range is
        }
        throw new IllegalArgumentException("${random:" + number + "} at character " + position
                + " needs a length from 1 to " + MAX_RANDOM + ", such as ${random:20}");
    }
}
