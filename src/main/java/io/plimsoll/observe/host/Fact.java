package io.plimsoll.observe.host;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;
import java.util.function.Function;

/**
 * Something about the host that was read, or in words why it was not: a fact is never empty and never a made-up zero.
 * Immutable.
 *
 * @param value null if it is not known
 * @param words why it is not known, fit to be printed in its place; null if it is known
 */
public record Fact<T>(T value, String words) {

    public Fact {
        if ((value == null) == (words == null)) {
            throw new IllegalArgumentException("a fact has either a value or words");
        }
    }

    public static <T> Fact<T> of(T value) {
        return new Fact<>(Objects.requireNonNull(value, "value"), null);
    }

    public static <T> Fact<T> unknown(String words) {
        return new Fact<>(null, Objects.requireNonNull(words, "words"));
    }

    /** A text that may be null, blank or OSHI's "unknown". */
    static Fact<String> text(String text, String otherwise) {
        boolean known = text != null && !text.isBlank() && !text.strip().equalsIgnoreCase("unknown");
        return known ? of(text.strip()) : unknown(otherwise);
    }

    /** A count or size, where zero and below mean that it could not be read. */
    static Fact<Long> positive(long number, String otherwise) {
        return number > 0 ? of(number) : unknown(otherwise);
    }

    public boolean isKnown() {
        return value != null;
    }

    /** The value as text, or the words. */
    public String show(Function<? super T, String> format) {
        return isKnown() ? format.apply(value) : words;
    }

    /** The value, or the words: what stands in JSON. */
    @JsonValue
    public Object plain() {
        return isKnown() ? value : words;
    }
}
