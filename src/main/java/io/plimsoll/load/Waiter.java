package io.plimsoll.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/** The time that somebody waits for: the system's, or in tests one that passes as it is waited for. */
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
                Path thread =
                        Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
                Path slack = Path.of("/proc").resolve(thread).resolve("timerslack_ns");
                Files.writeString(slack, "1", StandardOpenOption.WRITE);
            } catch (IOException | UnsupportedOperationException | SecurityException e) {
                // Other systems than Linux cannot be asked for that.
            }
        }
    };

    long nanoTime();

    /** Returns after so many nanoseconds, or earlier. */
    void park(long nanos);

    /** Lets a moment pass in which the thread keeps its core. */
    default void spin() {
        Thread.onSpinWait();
    }

    /**
     * From now on the calling thread wakes up as soon as the system can wake it. To save power, Linux puts off each wake-up by
     * 50 µs unless it is asked not to; what a sleep takes beyond that is how long a core needs to wake up.
     */
    default void beExact() {}

    /**
     * Waits until something is true, looking every two milliseconds.
     *
     * @return false if it is not so by then
     */
    default boolean await(java.util.function.BooleanSupplier condition, java.time.Duration timeout)
            throws InterruptedException {
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
