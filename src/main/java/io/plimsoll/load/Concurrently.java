package io.plimsoll.load;

import io.plimsoll.Daemon;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs blocking tasks concurrently. */
public final class Concurrently {
    private static final int MOST_THREADS = 16;

    /** Runs the tasks and returns when all have ended, even in an interrupted thread; rethrows the first failure. */
    public static void run(List<Runnable> tasks) {
        if (tasks.size() < 2) {
            tasks.forEach(Runnable::run);
            return;
        }
        ExecutorService threads =
                Executors.newFixedThreadPool(Math.min(tasks.size(), MOST_THREADS), Daemon.factory("plimsoll-at-once"));
        try {
            CompletableFuture.allOf(tasks.stream()
                            .map(task -> CompletableFuture.runAsync(task, threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } finally {
            threads.shutdown();
        }
    }
}
