package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The user's request to end a run. It interrupts the run's thread only within an interruptible step; clean-up is not
 * interrupted.
 */
final class Interruption {
    /** The thread in an interruptible step; null if none. This object guards it and the flag. */
    private @Nullable Thread waiting;

    private boolean requested;

    /** Requests the end of the run. Thread-safe. */
    synchronized void request() {
        requested = true;
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    synchronized boolean requested() {
        return requested;
    }

    /** @throws PlimsollException {@link Exit#INTERRUPTED} if the request comes before or during the step */
    <T> T during(Supplier<T> step) {
        synchronized (this) {
            Exit.INTERRUPTED.when(requested, "run.interruptedStep");
            waiting = Thread.currentThread();
        }
        try {
            return step.get();
        } catch (RuntimeException e) {
            throw requested() ? Exit.INTERRUPTED.because(e, "run.interruptedStep") : e;
        } finally {
            synchronized (this) {
                waiting = null;
                // The request is recorded; an interrupt flag would abort the next wait of the clean-up.
                Thread.interrupted();
            }
        }
    }

    void during(Runnable step) {
        during(() -> {
            step.run();
            return null;
        });
    }
}
