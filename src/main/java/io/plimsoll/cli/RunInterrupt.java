package io.plimsoll.cli;

import io.plimsoll.run.Run;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Ends a run with a partial report when the process is told to end (Ctrl-C, SIGTERM); the exit code of the JVM is then
 * the signal's. To be closed when everything has been shown.
 */
final class RunInterrupt implements AutoCloseable {
    /** Time for the run to end in good order; then what was measured is shown without it. */
    private static final long PATIENCE_MILLIS = 4000;

    private final Run run;
    private final Consumer<Run.Finished> show;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupt, "plimsoll-interrupt");

    /** @param show how to show the result if the run does not end in time */
    RunInterrupt(Run run, Consumer<Run.Finished> show) {
        this.run = run;
        this.show = show;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupt() {
        try {
            run.interrupt();
            if (!over.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                run.giveUp().ifPresent(show);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is going down: this is the run that was interrupted.
        }
    }
}
