package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

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

    /** @throws PlimsollException ({@link Exit#USAGE}) with the position (in characters, from 1) of what is wrong */
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
}
