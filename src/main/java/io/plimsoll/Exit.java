package io.plimsoll;

import io.plimsoll.text.Sentence;
import java.util.Arrays;

/** The exit codes of every command; scripts rely on the numbers, so they never change. */
public enum Exit {
    PASSED(0),
    /** A defect of ours, or a failure that has no code of its own (for example a full disk). */
    INTERNAL(1),
    /** The command line, or a scenario that cannot be read or cannot work. */
    USAGE(2),
    CHECK_FAILED(3),
    /** The audit found loss, corruption or a broken guarantee; wins over {@link #CHECK_FAILED}. */
    AUDIT_FAILED(4),
    /** The figures do not describe the cluster: generator-limited or not steady. */
    INVALID_MEASUREMENT(5),
    /** Cluster unreachable, authentication or authorisation refused. */
    CLUSTER(6),
    REGRESSION(7),
    INTERRUPTED(130);

    private final int code;

    Exit(int code) {
        this.code = code;
    }

    /** The one with this code; {@link #INTERNAL} if there is none. */
    public static Exit of(int code) {
        return Arrays.stream(values())
                .filter(exit -> exit.code == code)
                .findFirst()
                .orElse(INTERNAL);
    }

    /** @param key of a sentence that names what was wrong, where, and what to do */
    public PlimsollException because(String key, Object... arguments) {
        return new PlimsollException(this, Sentence.of(key, arguments));
    }

    public PlimsollException because(Throwable cause, String key, Object... arguments) {
        return new PlimsollException(this, Sentence.of(key, arguments), cause);
    }

    /** Ends a command with this code if something is so, as {@link #because} says. */
    public void when(boolean is, String key, Object... arguments) {
        if (is) {
            throw because(key, arguments);
        }
    }

    /** A command's end by the interruption of a thread, which stays interrupted. */
    public static PlimsollException interrupted(InterruptedException e, String key, Object... arguments) {
        Thread.currentThread().interrupt();
        return INTERRUPTED.because(e, key, arguments);
    }

    public int code() {
        return code;
    }
}
