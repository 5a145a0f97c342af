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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/**
 * One member of a share group: takes records, works on them, says what becomes of them. Runs in one thread, which owns
 * the consumer.
 */
final class ShareLoop extends MemberRun {
    private static final long LOOK_NANOS = 2_000_000;
    /** Deliveries of a record after the ninth are counted as one. */
    private static final int MOST_COUNTED = 10;

    private static final int DEFAULT_LOCK_MILLIS = 30_000;

    private final KafkaShareConsumer<ByteBuffer, ByteBuffer> consumer;
    private final ConsumerSpec spec;
    private final Who who;
    private final boolean explicit;
    private final SplittableRandom random;
    /** Under which it counts for itself; null if it does not. */
    private final String name;

    private final InHand inHand = new InHand();
    private long batches;
    private long lockNanos;
    private long heldBatch = -1;
    private boolean brokenOff;
    private volatile boolean dead;

    /**
     * Which member it is, and of what group.
     *
     * @param number in its group
     * @param seed of what is released, rejected and held
     * @param ready whether all members have joined
     * @param heldNanos for how long nobody may be given what killed members had
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
    public void kill() {
        dead = ClientInternals.endAbruptly(consumer);
        if (!dead) {
            note(Sentence.of("load.shareLeaves"));
        }
        super.kill();
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
        // What was broken off is not to be accepted with the rest, as it would be without a word for each record.
        if (!killed() && (explicit || !brokenOff)) {
            answers(consumer.commitSync(LEAVE_LIMIT));
        }
    }

    @Override
    protected void close() {
        if (dead) {
            return;
        }
        try {
            consumer.close(killed() ? Duration.ZERO : LEAVE_LIMIT);
        } catch (KafkaException | IllegalStateException e) {
            // A member that was killed cannot say so, nor one whose brokers are gone.
        }
    }

    /** Polls, as a member has to that joins, until all have; records that are there already have come then. */
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
        return poll(() -> consumer.poll(POLL));
    }

    private void take(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
        if (records.isEmpty()) {
            return;
        }
        long now = waiter.nanoTime();
        given(records, now);
        brokenOff = !process(records);
        boolean held = heldBatch == batches++;
        // The cluster is told with the next poll. Where a fetch was under way it has given the member the same records
        // again: then it takes what comes too late, and refuses what is said of them the second time.
        // What a member has in hand when the load ends is given back, of which not all is answered.
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

    /** @return false if it was broken off */
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

    private AcknowledgeType decide(ConsumerRecord<ByteBuffer, ByteBuffer> record, Work work) {
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

    /** Stops until the locks of all records in hand have timed out; what it says of them then is too late. */
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

    private void answers(Map<TopicIdPartition, ?> committed) {
        if (!committed.isEmpty()) {
            meter.committed(1);
        }
    }

    /** The cluster has answered what was said of records, or nobody could ask it. In the member's own thread. */
    private void answered(Map<TopicIdPartition, Set<Long>> offsets, Exception failure) {
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

    private void settle(TopicPartition partition, long offset, InHand.One record, Exception failure) {
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
}
