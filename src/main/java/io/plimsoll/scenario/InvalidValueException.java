package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;

/** A text that is invalid where it occurs; {@link #sentence} has the expected and the actual value. */
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

    /** Reports the expected form and the text found. */
    public static InvalidValueException expected(Sentence expected, String found) {
        return new InvalidValueException("scenario.expected", expected, Texts.quoted(found), Sentence.NONE);
    }

    /** @param expected key of the expected form */
    public static InvalidValueException expected(String expected, String found) {
        return expected(Sentence.of(expected), found);
    }

    /** Throws if the condition holds. */
    public static void when(boolean is, String key, Object... arguments) {
        if (is) {
            throw new InvalidValueException(key, arguments);
        }
    }

    /** Throws with the expected form if the condition holds. */
    public static void unexpected(boolean is, Sentence expected, String found) {
        if (is) {
            throw expected(expected, found);
        }
    }

    /** @param expected key of the expected form */
    public static void unexpected(boolean is, String expected, String found) {
        if (is) {
            throw expected(expected, found);
        }
    }

    public Sentence sentence() {
        return sentence;
    }
}
