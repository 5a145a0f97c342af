package io.plimsoll.run;

import io.plimsoll.Daemon;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Asks the cluster in a thread of its own, so that a run that is to end does not hang on one that does not answer. */
final class TimedClusterCall {
    /** Short against what an answer takes. */
    private static final long LOOK_EVERY_MILLIS = 2;

    private TimedClusterCall() {}

    /**
     * @param limit the longest wait
     * @param hurry whether the run is to end soon; asked again and again
     * @param hurriedLimit the longest wait from then on
     * @param problem takes the sentence of a question that failed
     * @return empty if there is no answer
     */
    static <T> Optional<T> ask(
            Supplier<T> question,
            Duration limit,
            BooleanSupplier hurry,
            Duration hurriedLimit,
            Consumer<Sentence> problem) {
        AtomicReference<T> answer = new AtomicReference<>();
        CountDownLatch answered = new CountDownLatch(1);
        Daemon.start("plimsoll-question", () -> {
            try {
                answer.set(question.get());
            } catch (PlimsollException e) {
                problem.accept(e.sentence());
            } finally {
                answered.countDown();
            }
        });
        try {
            long deadline = System.nanoTime() + limit.toNanos();
            long hurriedDeadline = Long.MAX_VALUE;
            while (!answered.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)
                    && System.nanoTime() < Math.min(deadline, hurriedDeadline)) {
                if (hurriedDeadline == Long.MAX_VALUE && hurry.getAsBoolean()) {
                    hurriedDeadline = System.nanoTime() + hurriedLimit.toNanos();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Optional.ofNullable(answer.get());
    }
}
