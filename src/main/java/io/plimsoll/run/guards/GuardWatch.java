package io.plimsoll.run.guards;

import io.plimsoll.cluster.LogDirs;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Looks at the brokers' disks again and again while a load goes on, in a thread of its own, and says once that it must
 * stop: when what is free has come down to the reserve, whoever wrote it.
 */
public final class GuardWatch implements AutoCloseable {
    private final LogDirs disks;
    private final LoadLimits limits;
    private final Consumer<Sentence> stop;
    private final PeriodicTask task;
    private boolean told;

    /** @param stop called once at the most, by another thread, with the guard's name and the reason */
    public GuardWatch(LogDirs disks, LoadLimits limits, Consumer<Sentence> stop) {
        this.disks = disks;
        this.limits = limits;
        this.stop = stop;
        long every = limits.lookEvery().toNanos();
        task = new PeriodicTask("plimsoll-guards", System.nanoTime(), every, 1, this::look);
    }

    private int look() {
        OptionalLong room = disks.leastRoomBytes(limits.diskReserve());
        if (!told && room.isPresent() && room.getAsLong() <= 0) {
            told = true;
            stop.accept(Sentence.of("guards.diskReserve", "disk-reserve", Units.percent(limits.diskReserve())));
        }
        return 1;
    }

    /** A question that is not answered is given up. */
    @Override
    public void close() {
        task.end(1);
    }
}
