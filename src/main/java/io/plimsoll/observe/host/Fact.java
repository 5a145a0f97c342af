package io.plimsoll.observe.host;

import com.fasterxml.jackson.annotation.JsonValue;
import io.plimsoll.text.Sentence;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fact about the host: either a value, or a sentence with the reason why it is unknown. Immutable.
 */
public record Fact<T>(@Nullable T value, @Nullable Sentence words) {
    public Fact {
        if ((value == null) == (words == null)) {
            throw new IllegalArgumentException("a fact has either a value or words");
        }
    }

    public static <T> Fact<T> of(T value) {
        return new Fact<>(Objects.requireNonNull(value, "value"), null);
    }

    /** @param key of a sentence that states why the fact is unknown */
    public static <T> Fact<T> unknown(String key, @Nullable Object... arguments) {
        return new Fact<>(null, Sentence.of(key, arguments));
    }

    /** The text; unknown if it is null, blank, or OSHI's "unknown". {@code what} is the end of the sentence key. */
    static Fact<String> text(@Nullable String text, String what) {
        return text == null || text.isBlank() || text.strip().equalsIgnoreCase("unknown")
                ? notReported(what)
                : of(text.strip());
    }

    /** A count or size; unknown unless positive. */
    static Fact<Long> positive(long number, String what) {
        return number > 0 ? of(number) : notReported(what);
    }

    static <T> Fact<T> notReported(String what) {
        return unknown("observe.notReported." + what);
    }

    public boolean isKnown() {
        return value != null;
    }

    /** The value of a known fact. */
    @Override
    public T value() {
        return Objects.requireNonNull(value);
    }

    /** The reason why the fact is unknown. */
    @Override
    public Sentence words() {
        return Objects.requireNonNull(words);
    }

    /** The value or the sentence, for use as an argument of another sentence. */
    Object argument() {
        return isKnown() ? value() : words();
    }

    /** The value, or the sentence as text, for JSON. */
    @JsonValue
    public Object plain() {
        return isKnown() ? value() : words().english();
    }
}
