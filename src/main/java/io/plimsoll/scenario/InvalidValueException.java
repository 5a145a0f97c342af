package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;

/** A text that is invalid at its place; {@link #sentence} contains the expected and the actual value. */
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

    /** The error for a text, with the expected form. */
    public static InvalidValueException expected(Sentence expected, String found) {
        return new InvalidValueException("scenario.expected", expected, Texts.quoted(found), Sentence.NONE);
    }

    /** @param expected key of the sentence with the expected form */
    public static InvalidValueException expected(String expected, String found) {
        return expected(Sentence.of(expected), found);
    }

    /** Throws if the condition is true. */
    public static void when(boolean is, String key, Object... arguments) {
        if (is) {
            throw new InvalidValueException(key, arguments);
        }
    }

    /** Throws, with the expected form, if the condition is true. */
    public static void unexpected(boolean is, Sentence expected, String found) {
        if (is) {
            throw expected(expected, found);
        }
    }

    /** @param expected key of the sentence with the expected form */
    public static void unexpected(boolean is, String expected, String found) {
        if (is) {
            throw expected(expected, found);
        }
    }

    public Sentence sentence() {
        return sentence;
    }
}
