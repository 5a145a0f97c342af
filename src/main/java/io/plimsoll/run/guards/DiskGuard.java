package io.plimsoll.run.guards;

import io.plimsoll.cluster.LogDirs;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.Optional;
import java.util.OptionalLong;

/** Ends the load when the free space of a broker's disk reaches the reserve, whichever client writes. */
public final class DiskGuard extends Guard {
    private final LogDirs disks;
    private final double reserve;
    private volatile boolean used;

    /** @param reserve fraction of each disk to keep free, 0 to 1 */
    public DiskGuard(LogDirs disks, double reserve) {
        super("disk-reserve", Sentence.of("guards.watches.disks"));
        this.disks = disks;
        this.reserve = reserve;
    }

    @Override
    public void ask() {
        OptionalLong room = disks.leastRoomBytes(reserve, false);
        used |= room.isPresent() && room.getAsLong() <= 0;
    }

    @Override
    public Optional<Sentence> judge() {
        return used ? Optional.of(Sentence.of("guards.diskReserve", Units.percent(reserve))) : Optional.empty();
    }

    @Override
    public boolean stopsAtOnce() {
        return true;
    }
}
