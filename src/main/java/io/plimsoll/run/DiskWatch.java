package io.plimsoll.run;

import io.plimsoll.cluster.LogDirs;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Whether the brokers' disks have room for another trial. Brokers delete what a topic held a minute later. */
record DiskWatch(Supplier<LogDirs> dirs, Interruption interruption) {
    private static final long RESERVE_BYTES = 2_000_000_000L;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long LOOK_EVERY_MILLIS = 2000;

    /**
     * Waits for a while if there is no room, because that of former trials may become free.
     *
     * @param bytes that a trial may write to one disk
     * @param waiting called if it waits
     * @return why there is no room; empty if there is, or if the brokers do not tell
     */
    Optional<Sentence> shortage(double bytes, Runnable waiting) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        OptionalLong free = dirs.get().leastFreeBytes();
        while (isShort(free, bytes) && System.nanoTime() < deadline && !interruption.requested()) {
            waiting.run();
            interruption.during(DiskWatch::pause);
            free = dirs.get().leastFreeBytes();
        }
        return isShort(free, bytes)
                ? Optional.of(Sentence.of("run.noRoom", Units.bytes(free.getAsLong()), Units.bytes(bytes)))
                : Optional.empty();
    }

    private static boolean isShort(OptionalLong free, double bytes) {
        return free.isPresent() && free.getAsLong() < bytes + RESERVE_BYTES;
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_EVERY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
