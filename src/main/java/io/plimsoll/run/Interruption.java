package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.util.function.Supplier;

/**
 * The user's wish to end a run. It wakes the running thread from what that waits for, but only within a step that may be
 * cut short: cleaning up must go on undisturbed.
 */
final class Interruption {
    /** The thread that is within such a step; null if none is. Guarded by this object, as the other field. */
    private Thread waiting;

    private boolean requested;

    /** Any thread. */
    synchronized void request() {
        requested = true;
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    synchronized boolean requested() {
        return requested;
    }

    /**
     * Runs a step that may be cut short. When it returns or throws, the thread is not interrupted any more.
     *
     * @throws PlimsollException {@link Exit#INTERRUPTED} if the run is to end, before or during the step
     */
    <T> T during(Supplier<T> step) {
        enter();
        try {
            return step.get();
        } catch (RuntimeException e) {
            throw requested() ? Exit.INTERRUPTED.because(e, "run.interruptedStep") : e;
        } finally {
            leave();
        }
    }

    void during(Runnable step) {
        during(() -> {
            step.run();
            return null;
        });
    }

    private synchronized void enter() {
        Exit.INTERRUPTED.when(requested, "run.interruptedStep");
        waiting = Thread.currentThread();
    }

    private synchronized void leave() {
        waiting = null;
        // The wish has been noted; left set, it would make the next wait of the clean-up fail.
        Thread.interrupted();
    }
}
