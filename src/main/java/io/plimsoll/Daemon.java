package io.plimsoll;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Creates daemon threads with the creator's uncaught-exception handler, and runs tasks that a signal can end.
 * Stateless.
 */
public final class Daemon {
    /** Creates a daemon thread without starting it. */
    public static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(Thread.currentThread().getUncaughtExceptionHandler());
        return thread;
    }

    /** Creates and starts a daemon thread. */
    public static Thread start(String name, Runnable task) {
        Thread thread = thread(name, task);
        thread.start();
        return thread;
    }

    /**
     * Waits until a thread ends. An interrupted caller stops waiting and stays interrupted.
     *
     * @param patienceMillis maximum wait; 0 to wait indefinitely
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

    /** A factory of daemon threads that all have this name. */
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
     * @param stop requests the end of the task; called on a shutdown-hook thread
     * @param late called if the task has not ended within {@code patience} of the signal
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
