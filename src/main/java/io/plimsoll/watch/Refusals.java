package io.plimsoll.watch;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.text.Sentence;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;

/** Reports each denied operation and the missing permission once; a denial is not an outage. Thread-safe. */
final class Refusals {
    /** Maximum number of reports, because broker messages that contain a time are never equal. */
    private static final int MOST = 50;

    private final Consumer<Sentence> problem;
    private final Set<Sentence> said = ConcurrentHashMap.newKeySet();

    Refusals(Consumer<Sentence> problem) {
        this.problem = problem;
    }

    /** Reports a failure as explained by {@link KafkaErrors#explain}. */
    void report(Throwable failure, String doing, Object subject) {
        if (refused(failure)) {
            report(KafkaErrors.explain(failure, doing, subject));
        }
    }

    void report(PlimsollException failure) {
        if (failure.getCause() != null && refused(failure.getCause())) {
            say(failure.sentence());
        }
    }

    void say(Sentence what) {
        if (said.size() < MOST && said.add(what)) {
            problem.accept(what);
        }
    }

    private static boolean refused(Throwable failure) {
        Throwable cause = KafkaErrors.unwrap(failure);
        return cause instanceof AuthorizationException || cause instanceof AuthenticationException;
    }
}
