package io.plimsoll;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Creates daemon threads, and runs tasks that a signal ends. A failed thread reports to the creating thread's handler. Stateless. */
public final class Daemon {
    /** A thread that is not started. */
    public static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(Thread.currentThread().getUncaughtExceptionHandler());
        return thread;
    }

    /** A started thread. */
    public static Thread start(String name, Runnable task) {
        Thread thread = thread(name, task);
        thread.start();
        return thread;
    }

    /**
     * Waits for the end of a thread. An interrupted caller stops waiting and stays interrupted.
     *
     * @param patienceMillis 0 to wait indefinitely
     */
    public static void join(Thread thread, long patienceMillis) {
        try {
            thread.join(patienceMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sleeps. An interrupted caller stops waiting and stays interrupted. */
    public static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A factory of threads with the same name. */
    public static ThreadFactory factory(String name) {
        return task -> thread(name, task);
    }

    /** A task that can throw one type of exception. */
    public interface Task<T, E extends Exception> {
        T run() throws E;
    }

    /**
     * Runs a task that Ctrl-C or SIGTERM ends early; the JVM then exits with the code of the signal.
     *
     * @param stop asks the task to end
     * @param late what to do if it has not ended after this time
     */
    public static <T, E extends Exception> T untilSignal(
            Runnable stop, Duration patience, Runnable late, Task<T, E> task) throws E {
        CountDownLatch over = new CountDownLatch(1);
        Runnable onSignal = () -> {
            stop.run();
            try {
                if (!over.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                    late.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        Thread hook = new Thread(onSignal, "plimsoll-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return task.run();
        } finally {
            over.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The JVM is shutting down.
            }
        }
    }
}
