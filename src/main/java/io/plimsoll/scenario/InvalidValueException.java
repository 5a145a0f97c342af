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

    public Sentence sentence() {
        return sentence;
    }
}
