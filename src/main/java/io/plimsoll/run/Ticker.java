package io.plimsoll.run;

import io.plimsoll.Daemon;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.TrialClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Takes a snapshot every second, on whole seconds of the trial's time. */
final class Ticker {
    private static final long EVERY_NANOS = 1_000_000_000L;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final SnapshotMaker maker;
    private final Worker.Listener listener;
    private final TrialClock clock;
    private final BooleanSupplier draining;
    private final Runnable onFailure;
    private final Thread thread = Daemon.thread("plimsoll-ticker", () -> run(this::waitFor));
    private volatile RuntimeException failure;

    /** Waits until the next snapshot is due. */
    interface Wait {
        boolean endedBefore(long nanoTime) throws InterruptedException;
    }

    /** @param onFailure called if a snapshot fails; see {@link #end} */
    Ticker(
            SnapshotMaker maker,
            Worker.Listener listener,
            TrialClock clock,
            BooleanSupplier draining,
            Runnable onFailure) {
        this.maker = maker;
        this.listener = listener;
        this.clock = clock;
        this.draining = draining;
        this.onFailure = onFailure;
    }

    void start() {
        thread.start();
    }

    void run(Wait wait) {
        try {
            for (long k = 1; !wait.endedBefore(clock.startNanos() + k * EVERY_NANOS); k++) {
                long middle = clock.startNanos() + k * EVERY_NANOS - EVERY_NANOS / 2;
                Phase phase =
                        draining.getAsBoolean() && clock.endsWithLastRecord() ? Phase.DRAIN : clock.phaseAt(middle);
                listener.snapshot(maker.next(phase));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure = e;
            onFailure.run();
        }
    }

    private boolean waitFor(long nanoTime) throws InterruptedException {
        return ended.await(Math.max(0, nanoTime - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    /**
     * Ends the thread; the caller can then take the last snapshot.
     *
     * @throws RuntimeException the thread's error, such as a full disk
     */
    void end() {
        ended.countDown();
        Daemon.join(thread, 0);
        if (failure != null) {
            throw failure;
        }
    }
}
