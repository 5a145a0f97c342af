package io.plimsoll;

import java.util.concurrent.ThreadFactory;

/**
 * Makes threads that do not keep the process alive. What is told when the thread that makes one fails is told when that one
 * does, too. Stateless.
 */
public final class Daemon {
    private Daemon() {}

    /** A thread that has not been started. */
    public static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(Thread.currentThread().getUncaughtExceptionHandler());
        return thread;
    }

    /** A thread that runs already. */
    public static Thread start(String name, Runnable task) {
        Thread thread = thread(name, task);
        thread.start();
        return thread;
    }

    /**
     * Waits for the end of a thread. A caller that is interrupted waits no longer, and stays interrupted.
     *
     * @param patienceMillis 0: however long it takes
     */
    public static void join(Thread thread, long patienceMillis) {
        try {
            thread.join(patienceMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a moment. A caller that is interrupted waits no longer, and stays interrupted. */
    public static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The threads of a pool, all with this name. */
    public static ThreadFactory factory(String name) {
        return task -> thread(name, task);
    }
}
