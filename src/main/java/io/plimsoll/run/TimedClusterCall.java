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

/** Calls the cluster in a separate thread, so that an unresponsive cluster cannot block the end of a run. */
final class TimedClusterCall {
    /** Short compared with a response. */
    private static final long LOOK_EVERY_MILLIS = 2;

    private TimedClusterCall() {}

    /**
     * @param limit maximum wait
     * @param hurry polled; whether the run is about to end
     * @param hurriedLimit maximum wait from then on
     * @param problem receives the error of a failed call
     * @return empty without a response
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
