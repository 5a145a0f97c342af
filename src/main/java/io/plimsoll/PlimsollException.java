package io.plimsoll;

import io.plimsoll.text.Sentence;
import java.util.Objects;

/**
 * A failure whose message is meant for the user: one sentence that names what was wrong, where, and what to do. The
 * command line prints the message alone (a stack trace only with {@code --debug}) and exits with {@link #exit()}.
 */
public class PlimsollException extends RuntimeException {
    private final Exit exit;
    private final transient Sentence sentence;

    /** @param sentence what went wrong, where, and what to do; its English words are the message */
    public PlimsollException(Exit exit, Sentence sentence) {
        this(exit, sentence, null);
    }

    /** @param cause what made it fail; null if nothing else did */
    public PlimsollException(Exit exit, Sentence sentence, Throwable cause) {
        super(sentence.english(), cause);
        this.exit = Objects.requireNonNull(exit, "exit");
        this.sentence = sentence;
    }

    public Exit exit() {
        return exit;
    }

    /** What went wrong, to be said in the language of who reads it. */
    public Sentence sentence() {
        return sentence;
    }
}
