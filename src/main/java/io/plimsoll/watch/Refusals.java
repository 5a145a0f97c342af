package io.plimsoll.watch;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.text.Sentence;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;

/** Says, once each, what the cluster does not let the watch do, and which right is missing: no broker's outage. Any thread. */
final class Refusals {
    /** More than a watch can be refused; words of brokers that have the time in them must not go on for ever. */
    private static final int MOST = 50;

    private final Consumer<Sentence> problem;
    private final Set<Sentence> said = ConcurrentHashMap.newKeySet();

    Refusals(Consumer<Sentence> problem) {
        this.problem = problem;
    }

    /** Something has failed, as {@link KafkaErrors#explain} has it. */
    void told(Throwable failure, String doing, Object subject) {
        if (refused(failure)) {
            told(KafkaErrors.explain(failure, doing, subject));
        }
    }

    void told(PlimsollException failure) {
        if (failure.getCause() != null && refused(failure.getCause())) {
            say(failure.sentence());
        }
    }

    /** Says something else that the cluster does not do, once. */
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
