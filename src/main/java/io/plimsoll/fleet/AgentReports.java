package io.plimsoll.fleet;

import io.plimsoll.audit.JournalWriter;
import io.plimsoll.fleet.FleetMessage.AckTimes;
import io.plimsoll.fleet.FleetMessage.HostObserved;
import io.plimsoll.fleet.FleetMessage.Journalled;
import io.plimsoll.fleet.FleetMessage.SnapshotTaken;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.measure.AckLooks;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.observe.host.HostWatch;
import io.plimsoll.run.Worker;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reports a trial to the coordinator every second: measurements, record outcomes and host metrics. Used by one thread at a
 * time.
 */
final class AgentReports implements Worker.Listener {
    /** A message has to fit into a frame of 4 MiB. */
    private static final int BLOCK_BYTES = 256 * 1024;

    private final Consumer<FleetMessage> coordinator;
    private final AuditTrail trail;
    private final JournalWriter writer;
    private final HostWatch host = new HostWatch();
    private final Consumer<TrialClock> begun;

    private long startNanos;
    long snapshots;
    long journals;

    /**
     * @param trail null if records carry no identities
     * @param topics as journals of the trial number them
     */
    AgentReports(
            Consumer<FleetMessage> coordinator, AuditTrail trail, List<String> topics, Consumer<TrialClock> begun) {
        this.coordinator = coordinator;
        this.trail = trail;
        this.writer = new JournalWriter(topics, BLOCK_BYTES, this::send);
        this.begun = begun;
    }

    @Override
    public void started(TrialClock clock) {
        startNanos = clock.startNanos();
        host.begin(System.nanoTime());
        begun.accept(clock);
    }

    @Override
    public void snapshot(Snapshot snapshot) {
        if (trail != null) {
            writer.begin(System.currentTimeMillis());
            trail.drain(writer);
            if (!writer.empty()) {
                send(writer.end());
            }
        }
        snapshots++;
        coordinator.accept(new SnapshotTaken(snapshot));
        coordinator.accept(new HostObserved(host.since(System.nanoTime(), startNanos)));
    }

    private void send(ByteBuffer block) {
        journals++;
        int from = block.arrayOffset();
        coordinator.accept(new Journalled(Arrays.copyOfRange(block.array(), from, from + block.limit())));
    }

    /** Comes from a thread of its own. */
    @Override
    public void acknowledged(AckLooks looks) {
        coordinator.accept(new AckTimes(looks));
    }
}
