package io.plimsoll;

import io.plimsoll.text.Sentence;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Exit codes of every command. Scripts rely on the numbers, so they never change. */
public enum Exit {
    PASSED(0),
    /** A bug, or a failure without its own code, such as a full disk. */
    INTERNAL(1),
    /** Invalid command line, or a scenario that cannot be read or cannot work. */
    USAGE(2),
    CHECK_FAILED(3),
    /** The audit found loss, corruption, or a broken guarantee; takes precedence over {@link #CHECK_FAILED}. */
    AUDIT_FAILED(4),
    /** The figures do not describe the cluster: the load generator was the bottleneck, or the load was not steady. */
    INVALID_MEASUREMENT(5),
    /** The cluster is unreachable, or authentication or authorization failed. */
    CLUSTER(6),
    REGRESSION(7),
    INTERRUPTED(130);

    private final int code;

    Exit(int code) {
        this.code = code;
    }

    /** The constant for this exit code; {@link #INTERNAL} if unknown. */
    public static Exit of(int code) {
        return Arrays.stream(values())
                .filter(exit -> exit.code == code)
                .findFirst()
                .orElse(INTERNAL);
    }

    /** @param key of a sentence with the problem, its location, and the remedy */
    public PlimsollException because(String key, @Nullable Object... arguments) {
        return new PlimsollException(this, Sentence.of(key, arguments));
    }

    public PlimsollException because(@Nullable Throwable cause, String key, @Nullable Object... arguments) {
        return new PlimsollException(this, Sentence.of(key, arguments), cause);
    }

    /** Throws the exception of {@link #because} if the condition is true. */
    public void when(boolean is, String key, @Nullable Object... arguments) {
        if (is) {
            throw because(key, arguments);
        }
    }

    /** An exception for an interrupted thread, which stays interrupted. */
    public static PlimsollException interrupted(InterruptedException e, String key, @Nullable Object... arguments) {
        Thread.currentThread().interrupt();
        return INTERRUPTED.because(e, key, arguments);
    }

    public int code() {
        return code;
    }
}
