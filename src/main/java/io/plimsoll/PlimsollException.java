package io.plimsoll;

import io.plimsoll.text.Sentence;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A failure with a message for the user: one sentence with the problem, its location, and the remedy. The command line
 * prints only the message (with a stack trace under {@code --debug}) and exits with {@link #exit()}.
 */
public class PlimsollException extends RuntimeException {
    private final Exit exit;
    private final transient Sentence sentence;

    /** @param sentence the problem, its location, and the remedy; its English text is the exception message */
    public PlimsollException(Exit exit, Sentence sentence) {
        this(exit, sentence, null);
    }

    public PlimsollException(Exit exit, Sentence sentence, @Nullable Throwable cause) {
        super(sentence.english(), cause);
        this.exit = Objects.requireNonNull(exit, "exit");
        this.sentence = sentence;
    }

    public Exit exit() {
        return exit;
    }

    /** The message, for rendering in the user's language. */
    public Sentence sentence() {
        return sentence;
    }
}
