package io.plimsoll.load.share;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.MemberRun;
import io.plimsoll.load.RecordIntake;
import io.plimsoll.load.Waiter;
import io.plimsoll.load.Work;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ClientInternals;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.jspecify.annotations.Nullable;

/**
 * One member of a share group: acquires, processes and acknowledges records. Runs in one thread, which owns the consumer.
 */
final class ShareLoop extends MemberRun {
    private static final long LOOK_NANOS = 2_000_000;
    /** All deliveries of a record from this delivery number on share one counter. */
    private static final int MOST_COUNTED = 10;

    private static final int DEFAULT_LOCK_MILLIS = 30_000;

    private final KafkaShareConsumer<ByteBuffer, ByteBuffer> consumer;
    private final ConsumerSpec spec;
    private final Who who;
    private final boolean explicit;
    private final SplittableRandom random;
    /** Name of this member's own counters. */
    private final @Nullable String name;

    private final InHand inHand = new InHand();
    private long batches;
    private long lockNanos;
    private long heldBatch = -1;
    private boolean brokenOff;
    private boolean dead; // Guarded by this object.

    /**
     * The identity of a member and the state of its group.
     * @param seed for the choice of records to release, reject and hold
     * @param ready returns whether all members have joined
     * @param heldNanos time until the records of killed members are redelivered
     */
    record Who(
            int number,
            long seed,
            List<String> topics,
            ShareLedger ledger,
            BooleanSupplier ready,
            LongSupplier heldNanos) {}

    ShareLoop(
            KafkaShareConsumer<ByteBuffer, ByteBuffer> consumer,
            ConsumerSpec spec,
            RecordIntake intake,
            Waiter waiter,
            Who who,
            Consumer<Sentence> notes) {
        super(consumer::metrics, intake, waiter, notes);
        this.consumer = consumer;
        this.spec = spec;
        this.who = who;
        this.explicit = ShareSettings.explicit(spec);
        this.random = new SplittableRandom(who.seed());
        this.name = spec.get(ShareSettings.COUNT_MEMBERS) ? "member." + who.number() : null;
    }

    @Override
    protected void wakeup() {
        consumer.wakeup();
    }

    @Override
    public synchronized void kill() {
        // First, so that errors of the ending client do not count.
        super.kill();
        dead = ClientInternals.endAbruptly(consumer);
        if (!dead) {
            note(Sentence.of("load.shareLeaves"));
        }
    }

    private synchronized boolean isDead() {
        return dead;
    }

    @Override
    protected void read() {
        consumer.setAcknowledgementCommitCallback(this::answered);
        consumer.subscribe(who.topics);
        ConsumerRecords<ByteBuffer, ByteBuffer> early = join();
        awaitOpening();
        group.startWaiting(waiter.nanoTime());
        take(early);
        while (!over()) {
            if (paused()) {
                rest();
            } else {
                take(poll());
                group.endIfIdle(waiter.nanoTime() - who.heldNanos().getAsLong());
            }
        }
        // An implicit acknowledgment would also accept the interrupted records.
        if (!killed() && (explicit || !brokenOff)) {
            answers(consumer.commitSync(LEAVE_LIMIT));
        }
    }

    @Override
    protected void close() {
        if (isDead()) {
            return;
        }
        try {
            consumer.close(killed() ? Duration.ZERO : LEAVE_LIMIT);
        } catch (KafkaException | IllegalStateException e) {
            // A killed member cannot acknowledge, nor can a member without reachable brokers.
        }
    }

    /** Polls until all members have joined; returns the records that have arrived by then. */
    private ConsumerRecords<ByteBuffer, ByteBuffer> join() {
        ConsumerRecords<ByteBuffer, ByteBuffer> early = ConsumerRecords.empty();
        while (!who.ready.getAsBoolean() && early.isEmpty() && !over()) {
            early = poll();
        }
        return early;
    }

    private void awaitOpening() {
        while (!over() && !intake.window().open(waiter.nanoTime())) {
            waiter.park(LOOK_NANOS);
        }
    }

    private ConsumerRecords<ByteBuffer, ByteBuffer> poll() {
        return read(consumer::poll, POLL);
    }

    private void take(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
        if (records.isEmpty()) {
            return;
        }
        long now = waiter.nanoTime();
        given(records, now);
        brokenOff = !process(records);
        boolean held = heldBatch == batches++;
        // The next poll sends the acknowledgments. If a fetch in flight redelivers the records, the cluster accepts the
        // first acknowledgment and rejects the second. Records in progress are released at the end of the load; not
        // every release gets a response.
        if (brokenOff) {
            return;
        }
        if (waiter.nanoTime() - now > lockNanos) {
            records.forEach(record -> inHand.last(record).late = true);
            meter.count("heldTooLong", held ? records.count() : 0);
        }
        if (spec.commit() instanceof Commit.Sync sync && batches % sync.everyPolls() == 0) {
            answers(consumer.commitSync());
        } else if (spec.commit() instanceof Commit.Async async && batches % async.everyPolls() == 0) {
            consumer.commitAsync();
            meter.committed(1);
        }
    }

    private void given(ConsumerRecords<ByteBuffer, ByteBuffer> records, long now) {
        lockNanos = consumer.acquisitionLockTimeoutMs().orElse(DEFAULT_LOCK_MILLIS) * 1_000_000L;
        long[] byDelivery = new long[MOST_COUNTED + 1];
        for (ConsumerRecord<ByteBuffer, ByteBuffer> record : records) {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            int delivery = record.deliveryCount().map(Short::intValue).orElse(1);
            byDelivery[Math.min(delivery, MOST_COUNTED)]++;
            who.ledger.given(partition, record.offset());
            inHand.add(partition, record.offset(), new InHand.One(delivery, now));
        }
        meter.count("deliveries", records.count());
        for (int i = 1; i <= MOST_COUNTED; i++) {
            if (byDelivery[i] > 0) {
                meter.count("delivery." + i, byDelivery[i]);
            }
        }
    }

    private boolean process(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
        Work work = intake.work();
        if (work != null) {
            work.begin(records.count());
        }
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<ByteBuffer, ByteBuffer>> accepted = new ArrayList<>();
            for (ConsumerRecord<ByteBuffer, ByteBuffer> record : records.records(partition)) {
                if ((work != null && !work.next()) || (chance(spec.get(ShareSettings.HOLD)) && !hold())) {
                    return false;
                }
                if (decide(record, work) == AcknowledgeType.ACCEPT) {
                    accepted.add(record);
                    who.ledger.processed(partition, record.offset());
                }
                if (work != null) {
                    flush(partition, accepted);
                }
            }
            flush(partition, accepted);
        }
        return true;
    }

    private void flush(TopicPartition partition, List<ConsumerRecord<ByteBuffer, ByteBuffer>> accepted) {
        if (!accepted.isEmpty()) {
            intake.take(partition, accepted, waiter.nanoTime());
            if (name != null) {
                meter.count(name + ".records", accepted.size());
                meter.count(
                        name + ".bytes",
                        accepted.stream()
                                .mapToLong(
                                        r -> Math.max(0, r.serializedKeySize()) + Math.max(0, r.serializedValueSize()))
                                .sum());
            }
            accepted.clear();
        }
    }

    private AcknowledgeType decide(ConsumerRecord<ByteBuffer, ByteBuffer> record, @Nullable Work work) {
        if (!explicit) {
            return AcknowledgeType.ACCEPT;
        }
        boolean failed = work != null && work.failed();
        if (failed) {
            meter.count("workFailures", 1);
        }
        AcknowledgeType type = chance(spec.get(ShareSettings.REJECT))
                ? AcknowledgeType.REJECT
                : failed || chance(spec.get(ShareSettings.RELEASE)) ? AcknowledgeType.RELEASE : AcknowledgeType.ACCEPT;
        inHand.last(record).type = type;
        consumer.acknowledge(record, type);
        return type;
    }

    private boolean chance(double ratio) {
        return ratio > 0 && random.nextDouble() < ratio;
    }

    /** Pauses until the locks of all acquired records have expired, so that the acknowledgments arrive too late. */
    private boolean hold() {
        heldBatch = batches;
        long until = waiter.nanoTime() + lockNanos + lockNanos / 4 + PAUSE_NANOS;
        BooleanSupplier late = () -> waiter.nanoTime() >= until;
        while (!late.getAsBoolean()) {
            if (over()) {
                return false;
            }
            waiter.park(LOOK_NANOS);
        }
        return true;
    }

    private void answers(Map<TopicIdPartition, Optional<KafkaException>> committed) {
        if (committed.values().stream().anyMatch(Optional::isEmpty)) {
            meter.committed(1);
        }
    }

    /** Handles the result of acknowledgments, or a failure to send them. Runs in the member's own thread. */
    private void answered(Map<TopicIdPartition, Set<Long>> offsets, @Nullable Exception failure) {
        long now = waiter.nanoTime();
        long micros = 0;
        for (Map.Entry<TopicIdPartition, Set<Long>> each : offsets.entrySet()) {
            TopicPartition partition = each.getKey().topicPartition();
            for (long offset : each.getValue()) {
                InHand.One record = inHand.takeOut(partition, offset);
                if (record != null) {
                    micros += (now - record.sinceNanos) / 1000;
                    settle(partition, offset, record, failure);
                }
            }
        }
        meter.count("lockMicros", micros);
        if (failure != null && !(failure instanceof InvalidRecordStateException)) {
            meter.failed("acknowledge." + KafkaErrors.kind(failure));
        }
    }

    private void settle(TopicPartition partition, long offset, InHand.One record, @Nullable Exception failure) {
        boolean over = false;
        boolean refused = failure instanceof InvalidRecordStateException;
        if (record.late) {
            meter.count("lockTimeouts", 1);
        }
        if (failure == null) {
            meter.count(
                    switch (record.type) {
                        case REJECT -> "rejected";
                        case RELEASE -> "released";
                        default -> "accepted";
                    },
                    1);
            over = who.ledger.settled(partition, offset, record.type, record.delivery);
        } else if (refused) {
            meter.count("refused", 1);
            over = who.ledger.settled(partition, offset, AcknowledgeType.RELEASE, record.delivery);
        }
        if (over) {
            meter.count("archived", 1);
        }
    }

    /**
     * Acquired records without a confirmed acknowledgment; a record that is redelivered before the confirmation appears
     * twice. Used by the member's thread.
     */
    static final class InHand {
        static final class One {
            final int delivery;
            final long sinceNanos;
            AcknowledgeType type = AcknowledgeType.ACCEPT;
            boolean late;

            One(int delivery, long sinceNanos) {
                this.delivery = delivery;
                this.sinceNanos = sinceNanos;
            }
        }

        private final Map<TopicPartition, Map<Long, Deque<One>>> records = new HashMap<>();

        void add(TopicPartition partition, long offset, One record) {
            records.computeIfAbsent(partition, p -> new HashMap<>())
                    .computeIfAbsent(offset, o -> new ArrayDeque<>(1))
                    .add(record);
        }

        One last(ConsumerRecord<?, ?> record) {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            return Objects.requireNonNull(
                            records.getOrDefault(partition, Map.of()).get(record.offset()))
                    .getLast();
        }

        /** Removes and returns the earliest delivery of a record; null if none. */
        @Nullable
        One takeOut(TopicPartition partition, long offset) {
            Map<Long, Deque<One>> ofPartition = records.getOrDefault(partition, Map.of());
            Deque<One> same = ofPartition.get(offset);
            One first = same == null ? null : same.poll();
            if (same != null && same.isEmpty()) {
                ofPartition.remove(offset);
            }
            return first;
        }
    }
}
