package io.plimsoll.load.client;

import io.plimsoll.audit.Deliveries;
import io.plimsoll.audit.LogReading;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.ReadWindow;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.payload.Stamp;
import io.plimsoll.scenario.ConsumerSpec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * One member of a consumer group: joins with its partitions paused, so that it is ready without reading anything, reads
 * from when it is told to until its group is done. Runs in one thread, which owns the consumer.
 */
final class MemberLoop implements Runnable, ConsumerRebalanceListener {
    private static final Duration POLL = Duration.ofMillis(100);
    /** A thousand members that have nothing to read, ten times a second, would take half a core. */
    private static final Duration POLL_OF_MANY = Duration.ofMillis(500);

    private static final int MANY_MEMBERS = 32;
    private static final Duration POSITION_TIMEOUT = Duration.ofSeconds(20);
    private static final long ERROR_PAUSE_MILLIS = 100;
    /** To commit and leave the group takes milliseconds, unless the brokers are gone. */
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(2);

    private final KafkaConsumer<ByteBuffer, ByteBuffer> consumer;
    private final ConsumerSpec spec;
    private final List<String> topics;
    private final GroupState group;
    private final ReceiveMeter meter;
    private final EndToEndSource source;
    private final long runId;
    private final ReadWindow window;
    private final Consumer<String> notes;
    private final CommitPacer commits;
    private final Duration poll;
    /** What this member reads is what the audit reads; null if not. */
    private final AuditTrail feed;

    private volatile boolean joined;
    private volatile boolean stop;
    private volatile boolean killed;
    private volatile boolean paused;
    private volatile Exception fatal;
    private boolean reading;

    MemberLoop(
            KafkaConsumer<ByteBuffer, ByteBuffer> consumer,
            ConsumerSpec spec,
            List<String> topics,
            GroupState group,
            ReceiveMeter meter,
            EndToEndSource source,
            long runId,
            ReadWindow window,
            AuditTrail feed,
            Consumer<String> notes) {
        this.consumer = consumer;
        this.spec = spec;
        this.topics = topics;
        this.group = group;
        this.meter = meter;
        this.source = source;
        this.runId = runId;
        this.window = window;
        this.feed = feed;
        this.notes = notes;
        this.poll = spec.groups() * spec.members() > MANY_MEMBERS ? POLL_OF_MANY : POLL;
        this.commits = new CommitPacer(consumer, spec.commit(), meter);
    }

    /** Any thread. */
    void stop() {
        stop = true;
        consumer.wakeup();
    }

    /** Any thread: ends without a word to the group. */
    void kill() {
        killed = true;
        consumer.wakeup();
    }

    /** Any thread: stops or resumes polling. */
    void pause(boolean yes) {
        paused = yes;
    }

    /** True once the group has told this member its partitions (perhaps none). */
    boolean joined() {
        return joined;
    }

    /** Why the member cannot go on; null if it can. */
    Exception fatal() {
        return fatal;
    }

    @Override
    public void run() {
        try {
            consumer.subscribe(topics, this);
            while (!stop && !killed && !group.done()) {
                if (paused) {
                    pause();
                } else {
                    step();
                }
            }
            if (!killed) {
                commits.end();
            }
        } catch (WakeupException | InterruptException e) {
            // asked to stop
        } catch (KafkaException | IllegalStateException e) {
            fatal = e;
            meter.failed(KafkaErrors.kind(e));
            notes.accept("a member of group " + group.id() + " ended early: " + e.getMessage());
        } finally {
            Thread.interrupted();
            if (killed) {
                AbruptConsumerClose.close(consumer, group);
            } else {
                consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(LEAVE_LIMIT));
            }
        }
    }

    private void step() {
        if (!reading && window.open(System.nanoTime())) {
            reading = true;
            group.startWaiting(System.nanoTime());
            consumer.resume(consumer.assignment());
        }
        ConsumerRecords<ByteBuffer, ByteBuffer> records = poll();
        long now = System.nanoTime();
        joined |= !consumer.groupMetadata().memberId().isEmpty()
                && consumer.groupMetadata().generationId() > 0;
        if (!records.isEmpty()) {
            take(records, now);
            commits.polled();
        }
        if (reading) {
            checkEnd(now);
        }
        commits.tick(now);
    }

    private ConsumerRecords<ByteBuffer, ByteBuffer> poll() {
        try {
            return consumer.poll(poll);
        } catch (WakeupException
                | InterruptException
                | AuthorizationException
                | AuthenticationException
                | UnsupportedVersionException
                | InvalidGroupIdException e) {
            throw e;
        } catch (KafkaException e) {
            // A broker that died, a coordinator that moved: the client recovers, the run goes on and counts.
            meter.failed(KafkaErrors.kind(e));
            pause();
            return ConsumerRecords.empty();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(ERROR_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private void take(ConsumerRecords<ByteBuffer, ByteBuffer> records, long now) {
        TrialClock clock = window.clock();
        boolean measured = window.measured(now);
        boolean inWindow = window.inWindow(now);
        int count = 0;
        long bytes = 0;
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<ByteBuffer, ByteBuffer>> list = records.records(partition);
            int mine = group.claim(list.size(), now);
            for (int i = 0; i < mine; i++) {
                ConsumerRecord<ByteBuffer, ByteBuffer> record = list.get(i);
                bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
                endToEnd(record, clock, now);
            }
            count += mine;
            audit(partition, list);
            group.consumed(partition, mine, list.get(list.size() - 1).offset() + 1);
        }
        meter.received(count, bytes, measured, inWindow, now);
    }

    private void audit(TopicPartition partition, List<ConsumerRecord<ByteBuffer, ByteBuffer>> list) {
        Deliveries deliveries = group.deliveries(partition);
        if (deliveries != null) {
            deliver(deliveries, list);
        }
        LogReading reading = feed == null ? null : feed.reading(partition);
        if (reading == null) {
            return;
        }
        synchronized (reading) {
            for (ConsumerRecord<ByteBuffer, ByteBuffer> record : list) {
                ByteBuffer value = record.value();
                if (value == null) {
                    reading.record(record.offset(), null, 0, -1, record.timestamp());
                } else {
                    reading.record(record.offset(), value, value.position(), value.remaining(), record.timestamp());
                }
            }
            reading.flush();
        }
    }

    private static void deliver(Deliveries deliveries, List<ConsumerRecord<ByteBuffer, ByteBuffer>> list) {
        long first = list.get(0).offset();
        if (list.get(list.size() - 1).offset() - first == list.size() - 1) {
            deliveries.processed(first, list.size());
        } else {
            list.forEach(record -> deliveries.processed(record.offset(), 1));
        }
    }

    private void endToEnd(ConsumerRecord<ByteBuffer, ByteBuffer> record, TrialClock clock, long now) {
        long fromNanos;
        if (source == EndToEndSource.STAMP) {
            ByteBuffer value = record.value();
            if (value == null || !Stamp.isOurs(value, runId)) {
                return;
            }
            fromNanos = Stamp.intendedEpochNanos(value) - clock.epochOffsetNanos();
        } else if (source == EndToEndSource.NONE) {
            return;
        } else {
            fromNanos = record.timestamp() * 1_000_000 - clock.epochOffsetNanos();
        }
        long nanos = now - fromNanos;
        if (source != EndToEndSource.STAMP) {
            // The timestamp was cut to whole milliseconds: up to one of them is no clock fault.
            nanos = nanos < 0 && nanos > -1_000_000 ? 0 : nanos;
        }
        meter.endToEnd(clock.measured(fromNanos), nanos);
    }

    private void checkEnd(long now) {
        if (group.endsByOffsets()) {
            for (TopicPartition partition : consumer.assignment()) {
                group.readTo(partition, consumer.position(partition));
            }
        }
        group.endIfIdle(now);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        if (joined && reading) {
            meter.rebalanced();
        }
        if (!reading) {
            consumer.pause(assigned);
        }
        Set<TopicPartition> positioned = new HashSet<>(assigned);
        boolean reads = reading || window.open(System.nanoTime());
        new StartPositions(spec.start()).seek(consumer, positioned, group, reads);
        for (TopicPartition partition : positioned) {
            group.positioned(partition, consumer.position(partition, POSITION_TIMEOUT));
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        // Who leaves at the end had them last.
        if (!stop && !group.done()) {
            revoked.forEach(group::unassigned);
        }
    }
}
