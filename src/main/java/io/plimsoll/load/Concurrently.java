package io.plimsoll.load;

import io.plimsoll.Daemon;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Does several things at the same time, as each of them waits for others. */
public final class Concurrently {
    private static final int MOST_THREADS = 16;

    private Concurrently() {}

    /** Returns when all are done; throws what the first of those that failed has thrown. Also in an interrupted thread. */
    public static void run(List<Runnable> tasks) {
        if (tasks.size() < 2) {
            tasks.forEach(Runnable::run);
            return;
        }
        ExecutorService threads =
                Executors.newFixedThreadPool(Math.min(tasks.size(), MOST_THREADS), Daemon.factory("plimsoll-at-once"));
        boolean interrupted = Thread.interrupted();
        try {
            List<? extends Future<?>> all = tasks.stream().map(threads::submit).toList();
            for (Future<?> one : all) {
                interrupted |= await(one);
            }
        } finally {
            threads.shutdown();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** @return whether the waiting was interrupted */
    private static boolean await(Future<?> task) {
        boolean interrupted = false;
        while (true) {
            try {
                task.get();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (java.util.concurrent.ExecutionException e) {
                if (e.getCause() instanceof RuntimeException failure) {
                    throw failure;
                }
                throw new IllegalStateException(e.getCause());
            }
        }
    }
}
