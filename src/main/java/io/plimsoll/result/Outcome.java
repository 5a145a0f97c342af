package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonValue;
import io.plimsoll.Exit;
import java.util.Locale;

/** The three outcomes of a run, the same in every report, page and list. Only the exit code determines the outcome. */
public enum Outcome {
    /** The figures describe the cluster, and all checks passed: exit code 0. */
    USABLE,
    /** The run was measured, but its figures do not describe the cluster ({@link Invalidity}), are undecided, or are incomplete. */
    UNUSABLE,
    /** A check, the audit or a comparison failed, or an error prevented or ended the run. */
    FAILED;

    public static Outcome of(Exit exit) {
        return switch (exit) {
            case PASSED -> USABLE;
            case INVALID_MEASUREMENT, INTERRUPTED -> UNUSABLE;
            case INTERNAL, USAGE, CHECK_FAILED, AUDIT_FAILED, CLUSTER, REGRESSION -> FAILED;
        };
    }

    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
