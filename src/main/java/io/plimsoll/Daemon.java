package io.plimsoll;

import java.util.concurrent.ThreadFactory;

/** Creates daemon threads. A failed thread reports to the creating thread's handler. Stateless. */
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
}
