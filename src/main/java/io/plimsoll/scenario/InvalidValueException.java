package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;

/** A text is not what belongs at its place; {@link #sentence} says what was expected, and what was found. */
public final class InvalidValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient Sentence sentence;

    public InvalidValueException(Sentence sentence) {
        super(sentence.english());
        this.sentence = sentence;
    }

    public InvalidValueException(String key, Object... arguments) {
        this(Sentence.of(key, arguments));
    }

    /** Something else was expected than a text that was found. */
    public static InvalidValueException expected(Sentence expected, String found) {
        return new InvalidValueException("scenario.expected", expected, Texts.quoted(found), Sentence.NONE);
    }

    /** @param expected key of what it was */
    public static InvalidValueException expected(String expected, String found) {
        return expected(Sentence.of(expected), found);
    }

    /** Refuses a text if something is so. */
    public static void when(boolean is, String key, Object... arguments) {
        if (is) {
            throw new InvalidValueException(key, arguments);
        }
    }

    /** Refuses a text in whose place something else was expected, if it is so. */
    public static void unexpected(boolean is, Sentence expected, String found) {
        if (is) {
            throw expected(expected, found);
        }
    }

    /** @param expected key of what it was */
    public static void unexpected(boolean is, String expected, String found) {
        if (is) {
            throw expected(expected, found);
        }
    }

    public Sentence sentence() {
        return sentence;
    }
}
