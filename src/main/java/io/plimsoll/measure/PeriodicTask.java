package io.plimsoll.measure;

import io.plimsoll.Daemon;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs work in a separate thread at multiples of a period until ended. If the work takes longer than a period, the
 * missed runs are skipped.
 */
public final class PeriodicTask {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    @FunctionalInterface
    public interface Work {
        /** @return number of periods until the next run, at least 1 */
        int run() throws InterruptedException;
    }

    interface Waiting {
        long nanoTime();

        boolean endedWithin(long nanos) throws InterruptedException;
    }

    /**
     * Starts immediately.
     * @param first index of the period of the first run
     */
    public PeriodicTask(String name, long startNanos, long everyNanos, long first, Work work) {
        Waiting real = new Waiting() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public boolean endedWithin(long nanos) throws InterruptedException {
                return ended.await(nanos, TimeUnit.NANOSECONDS);
            }
        };
        thread = Daemon.start(name, () -> {
            try {
                repeat(real, startNanos, everyNanos, first, work);
            } catch (RuntimeException e) {
                // An exception after the end is due to the interrupt.
                if (ended.getCount() > 0) {
                    throw e;
                }
            }
        });
    }

    /** Starts immediately and runs in every period. */
    public static PeriodicTask each(String name, long startNanos, long everyNanos, long first, Runnable work) {
        return new PeriodicTask(name, startNanos, everyNanos, first, () -> {
            work.run();
            return 1;
        });
    }

    static void repeat(Waiting time, long startNanos, long everyNanos, long first, Work work) {
        try {
            for (long k = first; !time.endedWithin(Math.max(0, startNanos + k * everyNanos - time.nanoTime())); ) {
                int next = work.run();
                k = Math.max(k, (time.nanoTime() - startNanos) / everyNanos) + next;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops further runs without waiting. */
    public void end() {
        ended.countDown();
    }

    /**
     * Stops further runs, waits for the current one, and interrupts it after {@code patienceMillis} (0 waits
     * indefinitely). An interrupted caller stops waiting and stays interrupted.
     */
    public void end(long patienceMillis) {
        end();
        try {
            thread.join(patienceMillis);
            if (thread.isAlive()) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all tasks as {@link #end(long)} does and clears the list. */
    public static void endAll(List<PeriodicTask> tasks, long patienceMillis) {
        tasks.forEach(PeriodicTask::end);
        tasks.forEach(task -> task.end(patienceMillis));
        tasks.clear();
    }
}
