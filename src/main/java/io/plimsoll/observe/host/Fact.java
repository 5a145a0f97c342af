package io.plimsoll.observe.host;

import com.fasterxml.jackson.annotation.JsonValue;
import io.plimsoll.text.Sentence;
import java.util.Objects;

/**
 * Something about the host that was read, or in words why it was not: a fact is never empty and never a made-up zero.
 * Immutable.
 *
 * @param value null if it is not known
 * @param words why it is not known, to be said in its place; null if it is known
 */
public record Fact<T>(T value, Sentence words) {
    public Fact {
        if ((value == null) == (words == null)) {
            throw new IllegalArgumentException("a fact has either a value or words");
        }
    }

    public static <T> Fact<T> of(T value) {
        return new Fact<>(Objects.requireNonNull(value, "value"), null);
    }

    /** @param key of a sentence that says why it is not known */
    public static <T> Fact<T> unknown(String key, Object... arguments) {
        return new Fact<>(null, Sentence.of(key, arguments));
    }

    /**
     * A text that may be null, blank or OSHI's "unknown".
     *
     * @param what suffix of the key in {@code observe.notReported}
     */
    static Fact<String> text(String text, String what) {
        boolean known = text != null && !text.isBlank() && !text.strip().equalsIgnoreCase("unknown");
        return known ? of(text.strip()) : notReported(what);
    }

    /** A count or size, where zero and below mean that it could not be read. */
    static Fact<Long> positive(long number, String what) {
        return number > 0 ? of(number) : notReported(what);
    }

    static <T> Fact<T> notReported(String what) {
        return unknown("observe.notReported." + what);
    }

    public boolean isKnown() {
        return value != null;
    }

    /** The value, or why it is not known, as an argument of a sentence. */
    Object told() {
        return isKnown() ? value : words;
    }

    /** The value, or the text in its stead, for JSON. */
    @JsonValue
    public Object plain() {
        return isKnown() ? value : words.english();
    }
}
