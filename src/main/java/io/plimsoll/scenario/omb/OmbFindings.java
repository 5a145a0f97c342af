package io.plimsoll.scenario.omb;

import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Problem;
import io.plimsoll.scenario.Problems;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects what is wrong with files and what their owner should know. Used by one thread. */
final class OmbFindings {
    private final boolean strict;
    private final Problems problems = new Problems();
    private final Set<String> warnings = new LinkedHashSet<>();

    /** @param strict unknown names are mistakes */
    OmbFindings(boolean strict) {
        this.strict = strict;
    }

    Problems problems() {
        return problems;
    }

    void problem(Position at, String key, String message) {
        problems.add(at, key, message);
    }

    void warn(Position at, String key, String message) {
        warnings.add(new Problem(at.where(), at.line(), at.column(), key, message).toString());
    }

    /** A name that nobody knows. */
    void unknown(Position at, String key, String message) {
        if (strict) {
            problem(at, key, message);
        } else {
            warn(at, key, message + "; it is ignored");
        }
    }

    List<String> warnings() {
        return List.copyOf(warnings);
    }
}
