package io.plimsoll.load;

import io.plimsoll.LinuxRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The system's clock and sleep, or virtual time in tests. */
public interface Waiter {
    /** The clock of {@link System#nanoTime()}. */
    Waiter SYSTEM = new Waiter() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void park(long nanos) {
            LockSupport.parkNanos(this, nanos);
        }

        @Override
        public void beExact() {
            try {
                Path proc = LinuxRoot.PATH.resolve("proc");
                Path thread =
                        Files.readSymbolicLink(proc.resolve("thread-self")).getFileName();
                Path slack = proc.resolve(thread).resolve("timerslack_ns");
                Files.writeString(slack, "1", StandardOpenOption.WRITE);
            } catch (IOException | UnsupportedOperationException | SecurityException e) {
                // Only Linux has this setting.
            }
        }
    };

    long nanoTime();

    /** Sleeps for this time in nanoseconds or less. */
    void park(long nanos);

    /** Waits briefly without releasing the core. */
    default void spin() {
        Thread.onSpinWait();
    }

    /** Disables the timer slack of the calling thread, by which Linux delays wake-ups by up to 50 µs to save power. */
    default void beExact() {}

    /**
     * Polls a condition every two milliseconds.
     * @return false on timeout
     */
    default boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        long deadline = nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            if (nanoTime() > deadline) {
                return false;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            park(2_000_000);
        }
        return true;
    }
}
