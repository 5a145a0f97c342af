package io.plimsoll.scenario.omb;

import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Problem;
import io.plimsoll.scenario.Problems;
import io.plimsoll.text.Sentence;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects what is wrong with files and what their owner should know. Used by one thread. */
final class OmbFindings {
    private final boolean strict;
    private final Problems problems = new Problems();
    private final Set<Sentence> warnings = new LinkedHashSet<>();

    /** @param strict unknown names are mistakes */
    OmbFindings(boolean strict) {
        this.strict = strict;
    }

    Problems problems() {
        return problems;
    }

    void problem(Position at, String key, String sentence, Object... arguments) {
        problems.add(at, key, sentence, arguments);
    }

    void warn(Position at, String key, String sentence, Object... arguments) {
        warnings.add(new Problem(at, key, Sentence.of(sentence, arguments)).sentence());
    }

    /** A key that comes again: the last one counts, as in OpenMessaging Benchmark. */
    void givenTwice(Position at, String key) {
        warn(at, key, "scenario.omb.givenTwice");
    }

    /** A name that neither the files nor Kafka's clients have. */
    void unknown(Position at, String key, String sentence, Object... arguments) {
        if (strict) {
            problem(at, key, sentence, arguments);
        } else {
            warn(at, key, "scenario.omb.ignored", Sentence.of(sentence, arguments));
        }
    }

    List<Sentence> warnings() {
        return List.copyOf(warnings);
    }
}
