package io.plimsoll;

import java.util.Objects;

/**
 * A failure whose message is meant for the user: one sentence that names what was wrong, where, and what to do. The
 * command line prints the message alone (a stack trace only with {@code --debug}) and exits with {@link #exit()}.
 */
public class PlimsollException extends RuntimeException {
    private final Exit exit;

    public PlimsollException(Exit exit, String message) {
        super(message);
        this.exit = Objects.requireNonNull(exit, "exit");
    }

    public PlimsollException(Exit exit, String message, Throwable cause) {
        super(message, cause);
        this.exit = Objects.requireNonNull(exit, "exit");
    }

    /** The exit code of the process that ends with this failure. */
    public Exit exit() {
        return exit;
    }
}
