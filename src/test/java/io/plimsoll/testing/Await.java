package io.plimsoll.testing;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Waits for a condition, and fails with its description if it is not met in time. */
public final class Await {
    /** Sufficient for a busy host, where each step can wait seconds for a core. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int POLL_MILLIS = 20;

    private Await() {}

    /** A condition that can depend on the response of a cluster. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws ExecutionException, InterruptedException;
    }

    public static void until(String description, Condition condition) throws ExecutionException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("not within %d s: %s".formatted(PATIENCE.toSeconds(), description));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }
}
