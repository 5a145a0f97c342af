package io.plimsoll.fleet;

import io.plimsoll.audit.Journal;
import io.plimsoll.audit.JournalWriter;
import io.plimsoll.audit.LogPartition;
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
 * Tells the coordinator of a trial second by second: what it measured, what became of its records, what its host did. By
 * one thread at a time.
 */
final class AgentReports implements Worker.Listener {
    /** A message has to fit into a frame of 4 MiB. */
    private static final int BLOCK_BYTES = 256 * 1024;

    private final String session;
    private final String trial;
    private final Consumer<FleetMessage> coordinator;
    private final AuditTrail trail;
    private final JournalWriter writer;
    private final HostWatch host = new HostWatch();
    /** Begins with the load. */
    private final Consumer<TrialClock> begun;

    private long startNanos;
    private long snapshots;
    private long journals;

    /**
     * @param trail null if records carry no identities
     * @param topics as journals of the trial number them
     * @param begun told of the start
     */
    AgentReports(
            String session,
            String trial,
            Consumer<FleetMessage> coordinator,
            AuditTrail trail,
            List<String> topics,
            Consumer<TrialClock> begun) {
        this.begun = begun;
        this.session = session;
        this.trial = trial;
        this.coordinator = coordinator;
        this.trail = trail;
        this.writer = new JournalWriter(topics);
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
            new Blocks().send();
        }
        snapshots++;
        coordinator.accept(new SnapshotTaken(session, snapshot));
        coordinator.accept(new HostObserved(session, trial, host.since(System.nanoTime(), startNanos)));
    }

    /** Comes from a thread of its own. */
    @Override
    public void acknowledged(AckLooks looks) {
        coordinator.accept(new AckTimes(session, trial, looks));
    }

    long snapshots() {
        return snapshots;
    }

    long journals() {
        return journals;
    }

    /** Cuts what is new into blocks. */
    private final class Blocks implements Journal {
        private final long now = System.currentTimeMillis();

        void send() {
            writer.begin(now);
            trail.drain(this);
            sendBlock();
        }

        private void sendBlock() {
            if (!writer.empty()) {
                ByteBuffer block = writer.end();
                journals++;
                coordinator.accept(new Journalled(
                        session,
                        trial,
                        List.of(Arrays.copyOfRange(
                                block.array(), block.arrayOffset(), block.arrayOffset() + block.limit()))));
            }
            writer.begin(now);
        }

        private void written() {
            if (writer.length() > BLOCK_BYTES) {
                sendBlock();
            }
        }

        @Override
        public void acknowledged(
                int producer, long firstSequence, long count, LogPartition partition, long firstOffset) {
            writer.acknowledged(producer, firstSequence, count, partition, firstOffset);
            written();
        }

        @Override
        public void failed(int producer, long firstSequence, long count) {
            writer.failed(producer, firstSequence, count);
            written();
        }

        @Override
        public void committed(int producer, long firstSequence, long count) {
            writer.committed(producer, firstSequence, count);
            written();
        }

        @Override
        public void aborted(int producer, long firstSequence, long count) {
            writer.aborted(producer, firstSequence, count);
            written();
        }

        @Override
        public void sent(int producer, long sequences) {
            writer.sent(producer, sequences);
            written();
        }

        @Override
        public void batches(int producer, long kafkaProducerId, short epoch, LogPartition partition, long sequence) {
            writer.batches(producer, kafkaProducerId, epoch, partition, sequence);
            written();
        }

        @Override
        public void ended() {
            // The coordinator writes down when all have ended.
        }
    }
}
