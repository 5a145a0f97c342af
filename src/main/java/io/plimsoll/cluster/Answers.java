package io.plimsoll.cluster;

import io.plimsoll.PlimsollException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

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

    /** The same of an answer that may be absent for reasons that are no failures. */
    static <T> Optional<T> await(KafkaFuture<T> future, String doing, Object subject, Predicate<Throwable> reason) {
        return done(future, doing, subject, reason) ? Optional.of(await(future, doing, subject)) : Optional.empty();
    }

    /** Whether something was done that may be left undone for a reason that is no failure. */
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

    /** Waits until all of them are answered, however, but no longer than this. */
    static void settle(Collection<? extends KafkaFuture<?>> futures, Duration patience, String doing, Object subject) {
        long untilNanos = System.nanoTime() + patience.toNanos();
        try {
            for (KafkaFuture<?> future : futures) {
                try {
                    future.get(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (ExecutionException | TimeoutException e) {
                    // Whoever takes the answer finds out.
                }
            }
        } catch (InterruptedException e) {
            throw interrupted(e, doing, subject);
        }
    }

    static Map<TopicPartition, Long> offsets(
            Admin admin,
            Collection<TopicPartition> partitions,
            OffsetSpec spec,
            ListOffsetsOptions options,
            String doing,
            Object subject) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(partition -> wanted.put(partition, spec));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        await(admin.listOffsets(wanted, options).all(), doing, subject)
                .forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
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
