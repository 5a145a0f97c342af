package io.plimsoll.cluster;

import io.plimsoll.PlimsollException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaFuture;

/** Waits for the results of an admin client. */
final class Answers {
    /** Waits for a result; an error names the action, such as {@code create topic}, and its object, such as {@code events}. */
    static <T> T await(KafkaFuture<T> future, String doing, Object subject) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw KafkaErrors.explain(e, doing, subject);
        } catch (InterruptedException e) {
            throw interrupted(e, doing, subject);
        }
    }

    /** Waits for a result; empty if the future failed for this reason. */
    static <T> Optional<T> await(KafkaFuture<T> future, String doing, Object subject, Predicate<Throwable> reason) {
        return done(future, doing, subject, reason) ? Optional.of(await(future, doing, subject)) : Optional.empty();
    }

    /** Waits for an action; false if it failed for this reason. Other failures throw. */
    static boolean done(KafkaFuture<?> future, String doing, Object subject, Predicate<Throwable> reason) {
        try {
            future.get();
            return true;
        } catch (ExecutionException e) {
            if (reason.test(KafkaErrors.unwrap(e))) {
                return false;
            }
            throw KafkaErrors.explain(e, doing, subject);
        } catch (InterruptedException e) {
            throw interrupted(e, doing, subject);
        }
    }

    /** Waits until all futures are complete, successfully or not, or until this time has passed. */
    static void settle(Collection<? extends KafkaFuture<?>> futures, Duration patience, String doing, Object subject) {
        long untilNanos = System.nanoTime() + patience.toNanos();
        try {
            for (KafkaFuture<?> future : futures) {
                try {
                    future.get(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (ExecutionException | TimeoutException e) {
                    // The caller that reads the result receives the error.
                }
            }
        } catch (InterruptedException e) {
            throw interrupted(e, doing, subject);
        }
    }

    /** Sleeps between two polls of the cluster. */
    static void pause(long millis, String doing, Collection<String> subjects) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(e, doing, String.join(", ", subjects));
        }
    }

    /** The error for an interrupted wait; the thread stays interrupted. */
    static PlimsollException interrupted(InterruptedException e, String doing, Object subject) {
        Thread.currentThread().interrupt();
        return KafkaErrors.explain(e, doing, subject);
    }
}
