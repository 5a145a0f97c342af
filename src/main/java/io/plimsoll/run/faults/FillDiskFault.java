package io.plimsoll.run.faults;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.Texts;
import java.util.List;

/** A broker finds no room for its data any more; it ends for that, as its only disk has failed, and is started again. */
public final class FillDiskFault extends BrokerFault {
    private static final int LEAST_BYTES = 64 << 20;

    /** Bytes of each broker's disk, in the lab that is made for it. */
    public static final Key<Integer> DISK_SIZE = Key.scalar(
                    "diskSize", "a size such as 512MiB", 512 << 20, FillDiskFault::size)
            .byDefault("`512MiB`", "`512MiB`")
            .about("for `fillDisk`: the size of the disk that each broker gets", "用于 `fillDisk`：每个 broker 得到的磁盘大小");

    public FillDiskFault() {
        super(FaultKeys.broker("fillDisk")
                .about(
                        "no room is left on the broker's disk; it is started again when there is",
                        "broker 的磁盘没有空间；有空间时重新启动它"));
    }

    private static int size(String text) {
        int bytes = Quantities.size(text);
        if (bytes < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "expected a disk of at least 64MiB, because a broker needs some, found " + Texts.quoted(text));
        }
        return bytes;
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(DISK_SIZE);
    }

    @Override
    public String planned(String whom, Settings fault) {
        return done(whom);
    }

    @Override
    public String english() {
        return "fill the disk of {0}";
    }

    @Override
    public String chinese() {
        return "写满 {0} 的磁盘";
    }

    @Override
    public boolean mayLoseRecords() {
        return true;
    }

    @Override
    public LabOptions prepared(LabOptions lab, FaultSpec spec) {
        return lab.withDiskBytes(Math.max(lab.diskBytes(), spec.get(DISK_SIZE)));
    }

    @Override
    void begin(Lab lab, int id, FaultSpec spec) {
        lab.diskProblem().ifPresent(reason -> {
            throw new Effect.Impossible(reason);
        });
        lab.fillDisk(id);
    }

    @Override
    void end(Lab lab, int id) {
        lab.freeDisk(id);
        startAgain(lab, id);
    }

    @Override
    boolean endsQuickly() {
        return false;
    }
}
