package io.plimsoll.load.client;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.ClientMetrics;
import io.plimsoll.load.MemberRun;
import io.plimsoll.load.ReadWindow;
import io.plimsoll.load.RecordIntake;
import io.plimsoll.load.Waiter;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.scenario.ConsumerSpec.Rewind;
import io.plimsoll.scenario.ConsumerSpec.Start;
import io.plimsoll.text.Sentence;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * One member of a consumer group: joins with its partitions paused, so that it is ready before the start, then reads
 * until its group is done. Its thread owns the consumer.
 */
final class MemberLoop extends MemberRun implements ConsumerRebalanceListener {
    /** Duration of a poll in large groups: a thousand idle members that poll ten times a second would use half a core. */
    private static final Duration POLL_OF_MANY = Duration.ofMillis(500);

    private static final int MANY_MEMBERS = 32;
    private static final Duration POSITION_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration ASK_LIMIT = Duration.ofSeconds(1);

    private final Consumer<ByteBuffer, ByteBuffer> consumer;
    private final ConsumerSpec spec;
    private final List<String> topics;
    private final ReadWindow window;
    private final CommitPacer commits;
    private @Nullable Forwarder forwarder;
    private final Duration poll;
    private volatile boolean joined;
    private ReadPhase phase = ReadPhase.HELD_BACK;

    private enum ReadPhase {
        /** Polls with paused partitions, in order to stay in the group. */
        HELD_BACK,
        READING,
        /** Polls with paused partitions while the polled records are processed. */
        WORKING
    }

    MemberLoop(
            Consumer<ByteBuffer, ByteBuffer> consumer,
            ConsumerSpec spec,
            List<String> topics,
            RecordIntake intake,
            Waiter waiter,
            java.util.function.Consumer<Sentence> notes) {
        super(consumer::metrics, intake, waiter, notes);
        this.consumer = consumer;
        this.spec = spec;
        this.topics = topics;
        this.window = intake.window();
        this.poll = spec.groups() * spec.members() > MANY_MEMBERS ? POLL_OF_MANY : POLL;
        this.commits = new CommitPacer(consumer, spec.commit(), meter);
        if (intake.work() != null && !intake.work().spec().blocking()) {
            intake.work().pause(this::pollOn);
        }
    }

    private void pollOn(long nanos) {
        long until = waiter.nanoTime() + nanos;
        consumer.pause(consumer.assignment());
        phase = ReadPhase.WORKING;
        try {
            poll(() -> consumer.poll(Duration.ofNanos(nanos)), false);
        } catch (WakeupException e) {
            // The work notices that the member must end, so that its unprocessed records are not committed.
        }
        phase = ReadPhase.READING;
        long left = until - waiter.nanoTime();
        if (left > 0) {
            waiter.park(left);
        }
    }

    void forward(@Nullable Forwarder to) {
        forwarder = to;
    }

    @Override
    protected void wakeup() {
        consumer.wakeup();
    }

    @Override
    public boolean joined() {
        return joined;
    }

    @Override
    protected void read() {
        consumer.subscribe(topics, this);
        try {
            while (!over()) {
                if (paused()) {
                    rest();
                } else {
                    step();
                }
            }
        } catch (WakeupException e) {
            // The member was asked to end.
        }
        if (!killed()) {
            commits.end();
        }
    }

    @Override
    protected void close() {
        if (forwarder != null) {
            forwarder.end();
        }
        if (killed()) {
            closeAbruptly();
        } else {
            consumer.close(CloseOptions.timeout(LEAVE_LIMIT));
        }
    }

    private void step() {
        if (phase == ReadPhase.HELD_BACK && window.open(waiter.nanoTime())) {
            phase = ReadPhase.READING;
            group.startWaiting(waiter.nanoTime());
            consumer.resume(consumer.assignment());
        }
        ConsumerRecords<ByteBuffer, ByteBuffer> records = read(consumer::poll, poll);
        long now = waiter.nanoTime();
        if (!joined) {
            ConsumerGroupMetadata metadata = consumer.groupMetadata();
            joined = !metadata.memberId().isEmpty() && metadata.generationId() > 0;
        }
        if (!records.isEmpty()) {
            handle(records, now);
            now = waiter.nanoTime();
        } else {
            passHidden(records);
        }
        if (phase != ReadPhase.HELD_BACK) {
            checkEnd(now);
        }
        commits.tick(now);
    }

    private void handle(ConsumerRecords<ByteBuffer, ByteBuffer> records, long now) {
        boolean done = true;
        if (forwarder != null) {
            done = forwarder.forward(records, () -> paused() && !over(), this::over);
            if (done) {
                intake.take(records, waiter.nanoTime());
            }
        } else if (intake.work() != null) {
            done = intake.workOn(intake.work(), records, waiter);
            consumer.resume(consumer.assignment());
        } else {
            intake.take(records, now);
        }
        if (done) {
            passHidden(records);
            commits.polled();
        } else if (!killed()) {
            if (forwarder == null) {
                commits.partlyPolled();
            }
            // The next owner of the partition reads the unprocessed records.
            Set<TopicPartition> again = new HashSet<>(records.partitions());
            again.retainAll(consumer.assignment());
            again.forEach(partition -> consumer.seek(partition, group.position(partition)));
        }
    }

    /** Moves positions past markers and aborted records, which polls do not return. */
    private void passHidden(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
        // A call to assignment() copies the set of all partitions.
        Set<TopicPartition> assigned = records.nextOffsets().isEmpty() ? Set.of() : consumer.assignment();
        records.nextOffsets().forEach((partition, next) -> {
            if (assigned.contains(partition)) {
                group.readsFrom(partition, next.offset(), waiter.nanoTime());
            }
        });
    }

    private void checkEnd(long now) {
        if (group.endsByOffsets()) {
            consumer.assignment().forEach(this::reportPosition);
        }
        group.endIfIdle(now);
    }

    private void reportPosition(TopicPartition partition) {
        try {
            group.readTo(partition, consumer.position(partition, Duration.ZERO));
        } catch (TimeoutException e) {
            // The position is unknown until the leader of the partition responds to a poll.
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        if (joined && phase != ReadPhase.HELD_BACK) {
            meter.rebalanced();
        }
        if (phase != ReadPhase.READING) {
            consumer.pause(assigned);
        }
        group.handOvers().given(assigned, waiter.nanoTime());
        boolean reads = phase != ReadPhase.HELD_BACK || window.open(waiter.nanoTime());
        seek(assigned, reads);
        assigned.forEach(p -> group.positioned(p, consumer.position(p, POSITION_TIMEOUT)));
    }

    /** Sets the positions of partitions that are new to the group. A reassigned partition continues at its position. */
    private void seek(Collection<TopicPartition> assigned, boolean reads) {
        Set<TopicPartition> fresh = new HashSet<>(assigned);
        fresh.removeIf(p -> reads && group.knows(p));
        if (fresh.isEmpty()) {
            return;
        }
        if (spec.start() instanceof Start.Offset from) {
            toOffset(consumer, fresh, from.offset());
        } else if (spec.start() instanceof Start.Timestamp from) {
            offsetsAt(consumer, fresh, from.time().toEpochMilli()).forEach(consumer::seek);
        }
    }

    private static void toOffset(Consumer<?, ?> consumer, Set<TopicPartition> partitions, long offset) {
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        begins.forEach((p, begin) -> consumer.seek(p, Math.max(begin, Math.min(offset, ends.getOrDefault(p, offset)))));
    }

    /** The first offsets at or after this time, or the end offsets if none. */
    private static Map<TopicPartition, Long> offsetsAt(
            Consumer<?, ?> consumer, Set<TopicPartition> partitions, long epochMillis) {
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(p -> times.put(p, epochMillis));
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(partitions));
        consumer.offsetsForTimes(times).forEach((partition, found) -> {
            if (found != null) {
                offsets.put(partition, found.offset());
            }
        });
        return offsets;
    }

    /**
     * Commits the start offsets of a group without members.
     * @param consumer of the group, otherwise unused
     */
    static void rewind(Consumer<?, ?> consumer, Rewind to, Set<TopicPartition> all) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        Map<TopicPartition, Long> found = to instanceof Rewind.ToTime time
                ? offsetsAt(consumer, all, time.time().toEpochMilli())
                : consumer.beginningOffsets(all);
        found.forEach((p, offset) -> offsets.put(p, new OffsetAndMetadata(offset)));
        consumer.assign(all);
        consumer.commitSync(offsets);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        // At the end, the leaving member still counts as the owner of these partitions.
        if (!stopping() && !group.done()) {
            revoked.forEach(group::unassigned);
        }
    }

    /** Closes the consumer so that it looks like a killed process to the group. */
    private void closeAbruptly() {
        try {
            // With auto-commit, closing would commit the positions, so reset them to the committed offsets.
            Map<TopicPartition, OffsetAndMetadata> committed = committed();
            for (TopicPartition partition : consumer.assignment()) {
                OffsetAndMetadata offset = committed.get(partition);
                if (offset == null) {
                    consumer.seek(partition, group.firstPosition(partition));
                } else {
                    consumer.seek(partition, offset);
                }
            }
        } catch (KafkaException | IllegalStateException e) {
            // The coordinator does not respond, so it will not receive the commit either.
        }
        // With KIP-848, the client would leave the group anyway if it had time for a heartbeat.
        consumer.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP)
                .withTimeout(Duration.ZERO));
    }

    private Map<TopicPartition, OffsetAndMetadata> committed() {
        try {
            return consumer.committed(consumer.assignment(), ASK_LIMIT);
        } catch (WakeupException e) {
            // The wakeup was meant for a poll that had already ended.
            return consumer.committed(consumer.assignment(), ASK_LIMIT);
        }
    }

    /** Commits offsets according to the scenario. Used by the consumer's thread, which also runs the callbacks. */
    static final class CommitPacer {
        private static final long READ_EVERY_NANOS = 1_000_000_000L;
        private static final String COMMITS = "commit-total";

        private final Consumer<?, ?> consumer;
        private final Commit mode;
        private final ReceiveMeter meter;
        private final ClientMetrics metrics;
        private long polls;
        private long uncommitted;
        private long readNanos;

        CommitPacer(Consumer<?, ?> consumer, Commit mode, ReceiveMeter meter) {
            this.consumer = consumer;
            this.mode = mode;
            this.meter = meter;
            this.metrics = new ClientMetrics(
                    consumer::metrics,
                    name -> name.group().equals("consumer-coordinator-metrics")
                                    && name.name().equals(COMMITS)
                            ? COMMITS
                            : null);
        }

        void polled() {
            polls++;
            uncommitted++;
            if (mode instanceof Commit.Sync sync && polls % sync.everyPolls() == 0) {
                commit(consumer::commitSync);
            } else if (mode instanceof Commit.Async async && polls % async.everyPolls() == 0) {
                uncommitted = 0;
                consumer.commitAsync((offsets, failure) -> {
                    if (failure == null) {
                        meter.committed(1);
                    } else {
                        meter.failed("commit." + KafkaErrors.kind(failure));
                    }
                });
            }
        }

        /** Notes that only a part of a poll was processed, so that {@link #end} commits this part. */
        void partlyPolled() {
            uncommitted++;
        }

        /** Commits the remaining offsets before the member leaves; in auto mode, the client commits them. */
        void end() {
            boolean manual = mode instanceof Commit.Sync || mode instanceof Commit.Async;
            if (manual && uncommitted > 0) {
                Runnable last = () -> consumer.commitSync(LEAVE_LIMIT);
                try {
                    commit(last);
                } catch (WakeupException e) {
                    // The wakeup was meant for a poll that had already ended.
                    commit(last);
                }
            }
            readAutoCommits();
        }

        void tick(long nowNanos) {
            if (mode instanceof Commit.Auto && (readNanos == 0 || nowNanos - readNanos > READ_EVERY_NANOS)) {
                readNanos = nowNanos;
                readAutoCommits();
            }
        }

        private void commit(Runnable sync) {
            try {
                sync.run();
                uncommitted = 0;
                meter.committed(1);
            } catch (WakeupException | InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                meter.failed("commit." + KafkaErrors.kind(e));
            }
        }

        private void readAutoCommits() {
            if (!(mode instanceof Commit.Auto)) {
                return;
            }
            metrics.look(System.nanoTime());
            meter.committed(Math.round(metrics.since(COMMITS)));
        }
    }
}
