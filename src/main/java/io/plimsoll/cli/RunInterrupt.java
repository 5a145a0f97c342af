package io.plimsoll.cli;

import io.plimsoll.run.Run;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Ends a run with a partial report on Ctrl-C or SIGTERM; the JVM then exits with the code of the
 * signal.
 */
final class RunInterrupt {
    /** Time for a clean end of the run, before its partial result is shown. */
    private static final long PATIENCE_MILLIS = 4000;

    private final Run run;
    private final Consumer<Run.Finished> show;
    private final CountDownLatch over = new CountDownLatch(1);
    private boolean shown;

    private RunInterrupt(Run run, Consumer<Run.Finished> show) {
        this.run = run;
        this.show = show;
    }

    /** Shows the result once, from the main thread or, if the run hangs, from the hook. */
    static Run.Finished execute(Run run, Consumer<Run.Finished> show) {
        RunInterrupt interrupt = new RunInterrupt(run, show);
        Thread hook = new Thread(interrupt::onSignal, "plimsoll-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Run.Finished finished = run.execute();
            interrupt.showOnce(finished);
            return finished;
        } finally {
            interrupt.over.countDown();
            removeHook(hook);
        }
    }

    /** Removes the hook, unless the JVM is shutting down. */
    static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // called from the hook
        }
    }

    private void onSignal() {
        try {
            run.interrupt();
            if (!over.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                run.giveUp().ifPresent(this::showOnce);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void showOnce(Run.Finished finished) {
        if (!shown) {
            shown = true;
            show.accept(finished);
        }
    }
}
