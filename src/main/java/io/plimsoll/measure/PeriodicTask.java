package io.plimsoll.measure;

import io.plimsoll.Daemon;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Does something on whole multiples of a period after a start, in a thread of its own, until it is ended. What takes longer
 * than a period leaves out the times that have passed meanwhile.
 */
public final class PeriodicTask {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    /** The work that is done. */
    @FunctionalInterface
    public interface Work {
        /** @return how many periods later it is to be done next; 1 or more */
        int run() throws InterruptedException;
    }

    interface Waiting {
        long nanoTime();

        /** @return true if it ended before */
        boolean endedWithin(long nanos) throws InterruptedException;
    }

    /**
     * Begins at once.
     *
     * @param startNanos of {@link System#nanoTime()}
     * @param first the number of the period in which it is done first
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
                // Interrupted at the end, it has nothing more to say.
                if (ended.getCount() > 0) {
                    throw e;
                }
            }
        });
    }

    /** Begins at once to do something in each period. */
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

    /** Nothing is begun any more. */
    public void end() {
        ended.countDown();
    }

    /**
     * Ends it, waits for what is being done, and interrupts that if it takes longer. A caller that is interrupted waits no
     * longer, and stays interrupted.
     *
     * @param patienceMillis 0: however long it takes
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

    /** Ends all of these, each as {@link #end(long)} does, and forgets them. */
    public static void endAll(List<PeriodicTask> tasks, long patienceMillis) {
        tasks.forEach(PeriodicTask::end);
        tasks.forEach(task -> task.end(patienceMillis));
        tasks.clear();
    }
}
