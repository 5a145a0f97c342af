package io.plimsoll.cluster;

import io.plimsoll.PlimsollException;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for what an admin client has been asked. */
final class Answers {
    private Answers() {}

    /**
     * @param doing and {@code subject} what was asked for, such as {@code create topic} and {@code events}, for the
     *     sentence of the exception
     */
    static <T> T await(KafkaFuture<T> future, String doing, Object subject) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw KafkaErrors.explain(e, doing, subject);
        } catch (InterruptedException e) {
            throw interrupted(e, doing, subject);
        }
    }

    /** Waits between two looks at what the cluster does. */
    static void pause(long millis, String doing, Collection<String> subjects) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(e, doing, String.join(", ", subjects));
        }
    }

    /** Leaves the thread interrupted. */
    static PlimsollException interrupted(InterruptedException e, String doing, Object subject) {
        Thread.currentThread().interrupt();
        return KafkaErrors.explain(e, doing, subject);
    }
}
