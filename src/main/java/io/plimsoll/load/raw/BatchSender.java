package io.plimsoll.load.raw;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireCounts;
import io.plimsoll.wire.ProduceFrame;
import io.plimsoll.wire.RawErrors;
import io.plimsoll.wire.RawLink;
import java.util.ArrayDeque;
import org.apache.kafka.common.TopicPartition;

/**
 * Sends batches and deals with their outcomes as Kafka's producer does: everything that waits for a broker goes along
 * once something for it is ready, failed batches are sent again in order, until {@code delivery.timeout.ms}. Owned by
 * the client's thread, but for {@link #wire()}.
 */
final class BatchSender implements ProduceFrame.Listener {
    private static final int MAX_BATCHES = 64;

    /** What the slots of a frame hold. */
    private static final class Slots {
        final PartitionQueue[] queues = new PartitionQueue[MAX_BATCHES];
        final PendingBatch[] batches = new PendingBatch[MAX_BATCHES];
        int broker;
        int bytes;
    }

    private final RawSettings settings;
    private final String clientId;
    private final RawCluster cluster;
    private final RecordSource source;
    private final AckMeter acks;
    private final ArrayDeque<ProduceFrame> frames = new ArrayDeque<>();
    private TrialClock clock;
    private ProducerIdentity producer = ProducerIdentity.NONE;
    private boolean flushing;
    private int unfinished;
    private boolean needsNewId;
    private final WireTotals wire = new WireTotals();
    private final RoundTrips roundTrips = new RoundTrips();
    private final AuditTrail audit;

    BatchSender(
            RawSettings settings,
            String clientId,
            RawCluster cluster,
            RecordSource source,
            AckMeter acks,
            AuditTrail audit) {
        this.audit = audit;
        this.settings = settings;
        this.clientId = clientId;
        this.cluster = cluster;
        this.source = source;
        this.acks = acks;
    }

    /**
     * Kafka's identity of an idempotent producer.
     *
     * @param id −1 without idempotence
     */
    record ProducerIdentity(long id, short epoch) {
        static final ProducerIdentity NONE = new ProducerIdentity(-1, (short) -1);
    }

    void start(TrialClock trialClock) {
        clock = trialClock;
    }

    void identify(ProducerIdentity identity) {
        producer = identity;
        needsNewId = false;
    }

    /** True if the broker does not know our sequences any more: all in flight must end, then a new id is needed. */
    boolean needsNewId() {
        return needsNewId;
    }

    /** From now on nothing waits for linger. */
    void flush() {
        flushing = true;
    }

    /** Requests without an answer. */
    int unfinished() {
        return unfinished;
    }

    /** Since the start; any thread. */
    WireCounts wire() {
        return wire.total();
    }

    /** From their first record until they were sent, of all batches since the start; any thread. */
    long queuedNanos() {
        return wire.queuedNanos();
    }

    /** To be read by any thread, but only one. */
    RoundTrips roundTrips() {
        return roundTrips;
    }

    /**
     * Sends a request over this connection, if there is something for it; {@code own} are the partitions that go over
     * it.
     *
     * @return true if there may be more that can be sent now
     */
    boolean drain(RawLink link, PartitionQueue[] own, long nowNanos) {
        if (!link.idle() || link.inFlight() >= settings.maxInFlight() || nowNanos < link.throttledUntilNanos()) {
            return false;
        }
        if (needsNewId || !anyReady(own, nowNanos)) {
            return false;
        }
        ProduceFrame frame = frames.isEmpty() ? newFrame() : frames.poll();
        frame.reset();
        int bytes = 0;
        for (PartitionQueue queue : own) {
            if (frame.full() || bytes >= settings.maxRequestBytes()) {
                break;
            }
            PendingBatch batch = head(queue, nowNanos);
            if (batch == null) {
                continue;
            }
            int size = batchBytes(batch);
            if ((bytes > 0 && bytes + size > settings.maxRequestBytes()) || !seal(queue, batch)) {
                queue.batches.addFirst(batch);
                break;
            }
            bytes += batch.template.sizeBytes();
            add(frame, queue, batch, nowNanos);
        }
        if (frame.count() == 0) {
            frames.add(frame);
            return false;
        }
        unfinished++;
        wire.sent(frame.count(), bytes);
        Slots slots = (Slots) frame.attachment;
        slots.broker = link.broker();
        slots.bytes = bytes;
        frame.send(link, settings.acks(), settings.requestTimeoutMillis());
        return true;
    }

    private ProduceFrame newFrame() {
        ProduceFrame frame = new ProduceFrame(MAX_BATCHES, clientId, this);
        frame.attachment = new Slots();
        return frame;
    }

    private boolean anyReady(PartitionQueue[] own, long nowNanos) {
        for (PartitionQueue queue : own) {
            if (queue.batches.isEmpty()
                    ? source.mayTakeAtOnce(queue)
                    : queue.ready(nowNanos, settings.lingerNanos(), flushing)) {
                return true;
            }
        }
        return false;
    }

    private PendingBatch head(PartitionQueue queue, long nowNanos) {
        if (queue.batches.isEmpty()) {
            return source.takeAtOnce(queue, nowNanos);
        }
        return queue.mayDrain(nowNanos) ? queue.batches.poll() : null;
    }

    private int batchBytes(PendingBatch batch) {
        return batch.template != null ? batch.template.sizeBytes() : settings.batchBytes();
    }

    /** Makes the bytes of a batch; false if all templates are in flight. */
    private boolean seal(PartitionQueue queue, PendingBatch batch) {
        boolean first = batch.template == null;
        if (first) {
            BatchTemplate template = queue.templates.acquire(batch.count);
            if (template == null) {
                return false;
            }
            if (template.records() < batch.count) {
                queue.batches.addFirst(source.split(batch, template.records()));
            }
            batch.template = template;
            if (batch.firstSequence < 0) {
                batch.firstSequence = queue.nextAuditSequence;
                queue.nextAuditSequence += batch.count;
                if (queue.trail != null) {
                    queue.trail.sent(queue.nextAuditSequence);
                }
            }
        }
        if (settings.idempotent() && batch.baseSequence < 0) {
            batch.baseSequence = queue.nextBaseSequence;
            queue.nextBaseSequence = increment(queue.nextBaseSequence, batch.count);
            identifyBatches(queue, batch);
            if (!first) {
                batch.template.producer(producer.id(), producer.epoch(), batch.baseSequence);
                batch.template.seal();
            }
        }
        if (first) {
            stamp(queue, batch);
        }
        return true;
    }

    private void stamp(PartitionQueue queue, PendingBatch batch) {
        batch.template.timestamp(clock.toEpochNanos(batch.due[0]) / 1_000_000);
        batch.template.producer(producer.id(), producer.epoch(), batch.baseSequence);
        batch.template.stamp(queue.producerIndex, batch.firstSequence, batch.due, 0, clock.epochOffsetNanos());
    }

    /** Where records carry no identity of their own, their batch's header says what they are. */
    private void identifyBatches(PartitionQueue queue, PendingBatch batch) {
        boolean known = queue.knownProducer.equals(producer);
        if (audit != null && !known && batch.template.level() != IdentityLevel.IDENTITY) {
            TopicPartition partition = new TopicPartition(queue.topic.name(), queue.partition);
            long sequence = batch.firstSequence - batch.baseSequence;
            audit.batches(queue.trail, queue.topicIndex, partition, producer.id(), producer.epoch(), sequence);
            queue.knownProducer = producer;
        }
    }

    /** Sequences go on at 0 after the largest int. */
    static int increment(int sequence, int by) {
        return sequence > Integer.MAX_VALUE - by ? by - (Integer.MAX_VALUE - sequence) - 1 : sequence + by;
    }

    private void add(ProduceFrame frame, PartitionQueue queue, PendingBatch batch, long nowNanos) {
        Slots slots = (Slots) frame.attachment;
        int slot = frame.add(queue.topic, queue.partition, batch.template.bytes());
        slots.queues[slot] = queue;
        slots.batches[slot] = batch;
        queue.inFlight++;
        batch.attempts++;
        wire.batch(batch.count, batch.template, nowNanos - batch.createdNanos);
    }

    @Override
    public void outcome(ProduceFrame frame, int slot, short error, long baseOffset) {
        Slots slots = (Slots) frame.attachment;
        PartitionQueue queue = slots.queues[slot];
        PendingBatch batch = slots.batches[slot];
        slots.batches[slot] = null;
        queue.inFlight--;
        long now = System.nanoTime();
        if (RawErrors.ok(error) || RawErrors.duplicateSequence(error)) {
            acknowledge(queue, batch, now, baseOffset);
            return;
        }
        if (RawErrors.staleMetadata(error)) {
            cluster.markStale();
        }
        Exception failure = RawErrors.exception(error);
        boolean gap = settings.idempotent() && RawErrors.outOfOrderSequence(error);
        if (gap && queue.inFlight == 0 && queue.batches.stream().noneMatch(b -> b.attempts > 0)) {
            needsNewId = true;
        }
        batch.doubtful |= RawErrors.perhapsWritten(error);
        if (RawErrors.tooLarge(error) && batch.count > 1) {
            halve(queue, batch);
        } else if (RawErrors.retriable(error) || gap) {
            retry(queue, batch, KafkaErrors.kind(failure), now);
        } else {
            fail(queue, batch, KafkaErrors.kind(failure));
        }
    }

    private void acknowledge(PartitionQueue queue, PendingBatch batch, long now, long baseOffset) {
        if (queue.trail != null) {
            queue.trail.acknowledged(queue.topicIndex, queue.partition, baseOffset, batch.firstSequence, batch.count);
        }
        long bytes = batch.template.payloadBytes();
        if (batch.atOnce) {
            acks.acknowledged(queue.topicIndex, queue.partition, batch.due[0], batch.count, now, bytes);
        } else {
            acks.acknowledged(queue.topicIndex, queue.partition, batch.due, batch.handed, batch.count, now, bytes);
        }
        finish(batch);
    }

    private void finish(PendingBatch batch) {
        if (batch.template != null) {
            batch.template.release();
            batch.template = null;
        }
        source.recycle(batch);
    }

    private void retry(PartitionQueue queue, PendingBatch batch, String kind, long now) {
        boolean late = now - batch.createdNanos > settings.deliveryTimeoutNanos();
        if (late || batch.attempts > settings.retries()) {
            fail(queue, batch, late ? "deliveryTimeout" : kind);
            return;
        }
        wire.retried(batch.count);
        queue.retryAtNanos = now + settings.retryBackoffNanos();
        queue.putBack(batch);
    }

    /**
     * As the official client does: the same records, in two batches. Compressed ones get other content, since compressed
     * bytes cannot be cut.
     */
    private void halve(PartitionQueue queue, PendingBatch batch) {
        BatchTemplate whole = batch.template;
        batch.template = null;
        PendingBatch rest = source.split(batch, (batch.count + 1) / 2);
        if (whole.divisible()) {
            batch.template = whole.part(0, batch.count);
            rest.template = whole.part(batch.count, rest.count);
            stamp(queue, batch);
            stamp(queue, rest);
        }
        whole.release();
        wire.retried(batch.count + rest.count);
        queue.putBack(rest);
        queue.putBack(batch);
    }

    /** Gives up on batches that have waited too long, without a leader for example. */
    void expire(PartitionQueue queue, long nowNanos) {
        PendingBatch first;
        while ((first = queue.batches.peekFirst()) != null
                && nowNanos - first.createdNanos > settings.deliveryTimeoutNanos()) {
            fail(queue, queue.batches.pollFirst(), "deliveryTimeout");
        }
    }

    private void fail(PartitionQueue queue, PendingBatch batch, String kind) {
        for (int i = 0; i < batch.count; i++) {
            acks.failed(batch.atOnce ? batch.due[0] : batch.due[i], kind);
        }
        notWritten(queue, batch);
        // Its sequences are missing at the broker: what comes behind them would be refused.
        needsNewId |= settings.idempotent() && batch.baseSequence >= 0;
        finish(batch);
    }

    private static void notWritten(PartitionQueue queue, PendingBatch batch) {
        if (queue.trail != null && batch.firstSequence >= 0 && !batch.doubtful) {
            queue.trail.failed(batch.firstSequence, batch.count);
        }
    }

    @Override
    public void done(ProduceFrame frame, int throttleMillis) {
        unfinished--;
        wire.throttled(throttleMillis);
        Slots slots = (Slots) frame.attachment;
        roundTrips.answered(slots.broker, System.nanoTime() - frame.sentNanos(), slots.bytes, throttleMillis);
        frames.add(frame);
    }

    @Override
    public void failed(ProduceFrame frame, String kind) {
        Slots slots = (Slots) frame.attachment;
        unfinished--;
        cluster.markStale();
        long now = System.nanoTime();
        for (int i = 0; i < frame.count(); i++) {
            PendingBatch batch = slots.batches[i];
            if (batch != null) {
                slots.batches[i] = null;
                slots.queues[i].inFlight--;
                batch.doubtful = true;
                retry(slots.queues[i], batch, kind, now);
            }
        }
        frames.add(frame);
    }

    /** Gives up on a batch that was never answered. */
    void abandon(PendingBatch batch, long nowNanos) {
        for (int i = 0; i < batch.count; i++) {
            acks.abandoned(batch.atOnce ? batch.due[0] : batch.due[i], nowNanos);
        }
    }
}
