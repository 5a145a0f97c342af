package io.plimsoll.load.raw;

import io.plimsoll.audit.Journal.Ending;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.ProducerTrail;
import io.plimsoll.load.raw.BatchTemplate.IdentityLevel;
import io.plimsoll.load.raw.PartitionQueue.ProducerIdentity;
import io.plimsoll.load.raw.RawThread.RoundTrips;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.Acknowledgment;
import io.plimsoll.measure.Counter;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireUse;
import io.plimsoll.wire.ProduceFrame;
import io.plimsoll.wire.RawErrors;
import io.plimsoll.wire.RawLink;
import java.util.ArrayDeque;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches and handles their outcomes like Kafka's producer: once a batch is ready, a request takes a batch of
 * every partition. Batches are stamped with sequences, identities and intended times when they are sent. Failed batches
 * are retried in order until {@code delivery.timeout.ms}. Owned by the client's thread; another thread reads the
 * counters.
 */
final class BatchSender implements ProduceFrame.Listener {
    private static final int MAX_BATCHES = 256;
    /**
     * Each response raises the minimum response time by 1/64, but not above its own time, so that an old minimum is
     * forgotten.
     */
    private static final int FORGETS = 64;

    static final class Slots {
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
    private final PartitionQueue[] chosen = new PartitionQueue[MAX_BATCHES];
    private final PendingBatch[] chosenBatches = new PendingBatch[MAX_BATCHES];
    private int chosenCount;
    /** Time before which no queued batch can expire. */
    private long expiryNanos;

    private int unfinished;
    private long fastestNanos;
    private final Counter requests = new Counter();
    private final Counter batches = new Counter();
    private final Counter records = new Counter();
    private final Counter batchBytes = new Counter();
    private final Counter plainBytes = new Counter();
    private final Counter retries = new Counter();
    private final Counter throttledNanos = new Counter();
    /** Total time from the first record of a batch until the batch is sent. */
    final Counter queuedNanos = new Counter();

    private final Acknowledgment answer = new Acknowledgment();
    final RoundTrips roundTrips = new RoundTrips();
    private final @Nullable AuditTrail audit;
    private @Nullable TrialClock clock;
    private ProducerIdentity newest = ProducerIdentity.NONE;
    private boolean exhausted;
    private boolean closing;

    BatchSender(
            RawSettings settings,
            String clientId,
            RawCluster cluster,
            RecordSource source,
            @Nullable AuditTrail audit) {
        this.audit = audit;
        this.settings = settings;
        this.clientId = clientId;
        this.cluster = cluster;
        this.source = source;
        this.acks = source.acks;
    }

    /** Whether a partition has used all epochs of its producer ID and waits for another ID. */
    boolean needsNewId() {
        return exhausted;
    }

    int unfinished() {
        return unfinished;
    }

    /** Round-trip time in ns of the fastest recent request; 0 before the first response. */
    long fastestNanos() {
        return fastestNanos;
    }

    /**
     * Sends a request over this connection, with a batch of each ready partition.
     * @return whether more can be sent now
     */
    boolean drain(Route route, long nowNanos) {
        RawLink link = route.link;
        if (!link.ready()) {
            // Another broker may be the leader now.
            cluster.markStale();
            return false;
        }
        if (!link.idle() || link.inFlight() >= settings.maxInFlight() || nowNanos < link.throttledUntilNanos()) {
            return false;
        }
        if (!route.ready(nowNanos) && !mayTakeAtOnce(route)) {
            return false;
        }
        ProduceFrame frame = frames.isEmpty() ? newFrame() : frames.poll();
        frame.reset();
        int bytes = fill(frame, route, nowNanos);
        if (frame.count() == 0) {
            frames.add(frame);
            return false;
        }
        unfinished++;
        requests.add(1);
        batches.add(frame.count());
        batchBytes.add(bytes);
        Slots slots = slots(frame);
        slots.broker = link.broker();
        slots.bytes = bytes;
        frame.send(link, settings.acks(), settings.requestTimeoutMillis());
        return true;
    }

    ProduceFrame newFrame() {
        ProduceFrame frame = new ProduceFrame(MAX_BATCHES, clientId, this);
        frame.attachment = new Slots();
        return frame;
    }

    private static Slots slots(ProduceFrame frame) {
        return Objects.requireNonNull((Slots) frame.attachment);
    }

    private boolean mayTakeAtOnce(Route route) {
        for (int i = 0; i < route.size() && source.mayTakeAtOnce(); i++) {
            PartitionQueue queue = route.queue(i);
            if (queue.batches.isEmpty() && !queue.held() && source.mayTakeAtOnce(queue)) {
                return true;
            }
        }
        return false;
    }

    /** Fills a request. Starts at the partition at which the last request was full, for fairness. */
    int fill(ProduceFrame frame, Route route, long nowNanos) {
        int from = route.first();
        int bytes = choose(route, from, route.size(), nowNanos, 0);
        int behind = chosenCount;
        if (from == route.first()) {
            bytes = choose(route, 0, from, nowNanos, bytes);
        }
        // Add batches in partition order, so that the partitions of a topic are adjacent.
        add(frame, behind, chosenCount, nowNanos);
        add(frame, 0, behind, nowNanos);
        chosenCount = 0;
        return bytes;
    }

    /** Chooses batches from a range of partitions; the next request starts at the first batch that does not fit. */
    private int choose(Route route, int from, int to, long nowNanos, int bytesBefore) {
        int bytes = bytesBefore;
        for (int i = next(route, from); i >= 0 && i < to; i = next(route, i + 1)) {
            if (chosenCount == MAX_BATCHES || bytes >= settings.maxRequestBytes()) {
                route.beginAt(i);
                return bytes;
            }
            PartitionQueue queue = route.queue(i);
            PendingBatch batch = head(queue, nowNanos);
            if (batch == null) {
                continue;
            }
            boolean fits = bytes == 0 || bytes + batchBytes(batch) <= settings.maxRequestBytes();
            if (!fits) {
                queue.putBack(batch);
                route.beginAt(i);
                return bytes;
            }
            if (!seal(queue, batch)) {
                queue.putBack(batch);
                continue;
            }
            bytes += batch.encoded().sizeBytes();
            chosen[chosenCount] = queue;
            chosenBatches[chosenCount++] = batch;
        }
        return bytes;
    }

    private int next(Route route, int from) {
        return source.mayTakeAtOnce() ? from : route.nextWaiting(from);
    }

    private void add(ProduceFrame frame, int from, int to, long nowNanos) {
        for (int i = from; i < to; i++) {
            add(frame, chosen[i], chosenBatches[i], nowNanos);
        }
    }

    private @Nullable PendingBatch head(PartitionQueue queue, long nowNanos) {
        queue.closeGap();
        if (queue.batches.isEmpty()) {
            return queue.held() ? null : source.takeAtOnce(queue, nowNanos);
        }
        return queue.mayDrain(nowNanos) ? queue.pollNext() : null;
    }

    private int batchBytes(PendingBatch batch) {
        return batch.template != null
                ? batch.template.sizeBytes()
                : settings.batch().batchBytes();
    }

    private void add(ProduceFrame frame, PartitionQueue queue, PendingBatch batch, long nowNanos) {
        Slots slots = slots(frame);
        int slot = frame.add(
                Objects.requireNonNull(queue.topic),
                queue.partition,
                batch.encoded().bytes());
        slots.queues[slot] = queue;
        slots.batches[slot] = batch;
        queue.sending();
        batch.firstSentNanos = batch.attempts++ == 0 ? nowNanos : batch.firstSentNanos;
        queuedNanos.add(nowNanos - batch.createdNanos);
        records.add(batch.count);
        plainBytes.add(batch.encoded().plainBytes());
    }

    @Override
    public void outcome(ProduceFrame frame, int slot, short error, long baseOffset) {
        Slots slots = slots(frame);
        PartitionQueue queue = slots.queues[slot];
        PendingBatch batch = slots.batches[slot];
        slots.batches[slot] = null;
        queue.inFlight--;
        queue.changed();
        long now = frame.receivedNanos();
        if (RawErrors.ok(error) || RawErrors.duplicateSequence(error)) {
            answer.to(slots.broker, batch.firstSentNanos, frame.sentNanos());
            acknowledge(queue, batch, now, baseOffset);
            if (frame.appendMillis() >= 0 && !RawErrors.duplicateSequence(error)) {
                acks.appended(queue.topicIndex, queue.partition, frame.sentNanos(), now, frame.appendMillis());
            }
            return;
        }
        if (RawErrors.staleMetadata(error)) {
            cluster.markStale();
        }
        Exception failure = RawErrors.exception(error);
        boolean gap = settings.idempotent() && RawErrors.outOfOrderSequence(error);
        if (gap && queue.inFlight == 0 && isEarliest(queue, batch)) {
            queue.gap(batch.firstSequence);
        }
        boolean behindGap = gap && queue.behindGap(batch);
        // The broker would have recognized a batch that is already in its log, unless the batch was split.
        batch.doubtful = (batch.doubtful && (!behindGap || batch.cut)) || RawErrors.perhapsWritten(error, baseOffset);
        if (RawErrors.tooLarge(error) && batch.count > 1) {
            halve(queue, batch);
        } else if ((RawErrors.retriable(error) || gap) && !(behindGap && batch.cut)) {
            retry(queue, batch, KafkaErrors.kind(failure), now);
        } else {
            fail(queue, batch, KafkaErrors.kind(failure));
        }
    }

    /**
     * Whether no earlier batch awaits a retry; such a retry would close the gap. A broker without a stored sequence for
     * a producer accepts any sequence. The first batch in the log can therefore be the one after a batch that was too
     * large.
     */
    private static boolean isEarliest(PartitionQueue queue, PendingBatch batch) {
        return queue.batches.stream().noneMatch(b -> b.attempts > 0 && b.firstSequence < batch.firstSequence);
    }

    private void acknowledge(PartitionQueue queue, PendingBatch batch, long now, long baseOffset) {
        if (queue.trail != null) {
            queue.trail.acknowledged(queue.topicIndex, queue.partition, baseOffset, batch.firstSequence, batch.count);
        }
        if (batch.cut) {
            queue.wholeWasMissing();
        }
        long bytes = batch.encoded().payloadBytes();
        answer.at(queue.topicIndex, queue.partition, baseOffset, now);
        if (batch.atOnce) {
            acks.acknowledged(answer, batch.due[0], batch.due[0], batch.count, bytes);
        } else {
            acks.acknowledged(answer, batch.due, batch.handed, batch.count, bytes);
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
        boolean late = now > expiryNanos(batch);
        if (late || batch.attempts > settings.retries()) {
            fail(queue, batch, late ? "deliveryTimeout" : kind);
            return;
        }
        retries.add(batch.count);
        queue.retryAtNanos = now + settings.retryBackoffNanos();
        expiryNanos = Math.min(expiryNanos, expiryNanos(batch));
        queue.putBack(batch);
    }

    /** Splits a batch, as the official client does. Compressed batches get new content. */
    private void halve(PartitionQueue queue, PendingBatch batch) {
        BatchTemplate whole = batch.encoded();
        batch.template = null;
        batch.cut |= batch.doubtful;
        PendingBatch rest = source.split(batch, (batch.count + 1) / 2);
        if (whole.divisible()) {
            batch.template = whole.part(0, batch.count);
            rest.template = whole.part(batch.count, rest.count);
            stamp(queue, batch);
            stamp(queue, rest);
        }
        whole.release();
        retries.add(batch.count + rest.count);
        expiryNanos = Math.min(expiryNanos, expiryNanos(batch));
        queue.putBack(rest);
        queue.putBack(batch);
    }

    /** Fails batches that have waited too long, for example for a leader. */
    void expire(PartitionQueue[] queues, long nowNanos) {
        if (nowNanos <= expiryNanos) {
            return;
        }
        expiryNanos = nowNanos + settings.deliveryTimeoutNanos();
        for (PartitionQueue queue : queues) {
            PendingBatch first = queue.batches.peekFirst();
            while (first != null && expiryNanos(first) < nowNanos) {
                queue.poll();
                fail(queue, first, "deliveryTimeout");
                first = queue.batches.peekFirst();
            }
            expiryNanos = first == null ? expiryNanos : Math.min(expiryNanos, expiryNanos(first));
        }
    }

    private long expiryNanos(PendingBatch batch) {
        return batch.createdNanos + settings.deliveryTimeoutNanos();
    }

    private void fail(PartitionQueue queue, PendingBatch batch, String kind) {
        for (int i = 0; i < batch.count; i++) {
            acks.failed(batch.atOnce ? batch.due[0] : batch.due[i], kind);
        }
        notWritten(queue, batch);
        if (batch.baseSequence >= 0 && !batch.doubtful) {
            queue.gap(batch.firstSequence);
        }
        finish(batch);
    }

    private static void notWritten(PartitionQueue queue, PendingBatch batch) {
        if (queue.trail != null && batch.firstSequence >= 0 && !batch.doubtful) {
            queue.trail.ended(Ending.FAILED, batch.firstSequence, batch.count);
        }
    }

    @Override
    public void done(ProduceFrame frame, int throttleMillis) {
        unfinished--;
        throttledNanos.add(throttleMillis * 1_000_000L);
        Slots slots = slots(frame);
        long nanos = frame.receivedNanos() - frame.sentNanos();
        fastestNanos = fastestNanos == 0 ? nanos : Math.min(nanos, fastestNanos + fastestNanos / FORGETS + 1);
        roundTrips.answered(slots.broker, nanos, slots.bytes, throttleMillis);
        frames.add(frame);
    }

    /** Leaves batches of failed requests to {@link #abandon} from now on, because the client ends its connections. */
    void close() {
        closing = true;
    }

    @Override
    public void failed(ProduceFrame frame, String kind) {
        if (closing) {
            return;
        }
        Slots slots = slots(frame);
        unfinished--;
        cluster.markStale();
        long now = System.nanoTime();
        for (int i = 0; i < frame.count(); i++) {
            PendingBatch batch = slots.batches[i];
            if (batch != null) {
                slots.batches[i] = null;
                slots.queues[i].inFlight--;
                slots.queues[i].changed();
                batch.doubtful = true;
                retry(slots.queues[i], batch, kind, now);
            }
        }
        frames.add(frame);
    }

    void abandon(PendingBatch batch, long nowNanos) {
        for (int i = 0; i < batch.count; i++) {
            acks.abandoned(batch.atOnce ? batch.due[0] : batch.due[i], nowNanos);
        }
    }

    void read(Counts.Sum into) {
        into.add(WireUse.REQUESTS, requests.drain())
                .add(WireUse.BATCHES, batches.drain())
                .add(WireUse.BATCHED_RECORDS, records.drain())
                .add(WireUse.BATCH_BYTES, batchBytes.drain())
                .add(WireUse.UNCOMPRESSED_BYTES, plainBytes.drain())
                .add(WireUse.RETRIES, retries.drain())
                .add(WireUse.THROTTLED_NANOS, throttledNanos.drain());
    }

    void start(TrialClock trialClock) {
        clock = trialClock;
    }

    void identify(ProducerIdentity identity) {
        newest = identity;
        exhausted = false;
    }

    /**
     * Prepares a batch for sending. False if the batch must wait because all templates are in flight, its partition
     * needs a new epoch but has batches in flight, or the epochs are exhausted.
     */
    boolean seal(PartitionQueue queue, PendingBatch batch) {
        boolean first = batch.template == null;
        boolean numberless = settings.idempotent() && batch.baseSequence < 0;
        long sequence = batch.firstSequence < 0 ? queue.nextAuditSequence : batch.firstSequence;
        if (numberless && sequence != queue.numberedTo && !beginEpoch(queue, sequence)) {
            return false;
        }
        if (first) {
            BatchTemplate template = Objects.requireNonNull(queue.templates).acquire(batch.count);
            if (template == null) {
                return false;
            }
            if (template.records() < batch.count) {
                queue.putBack(source.split(batch, template.records()));
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
        if (numberless) {
            batch.baseSequence = queue.nextBaseSequence;
            queue.nextBaseSequence = increment(queue.nextBaseSequence, batch.count);
            queue.numberedTo = sequence + batch.count;
            identifyBatches(queue, batch);
            if (!first) {
                batch.encoded().producer(queue.producer.id(), queue.producer.epoch(), batch.baseSequence);
                batch.encoded().seal();
            }
        }
        if (first) {
            stamp(queue, batch);
        }
        return true;
    }

    /**
     * Takes the next epoch, like Kafka's producer: sequences restart, and brokers reject delayed batches of the
     * previous epoch.
     */
    private boolean beginEpoch(PartitionQueue queue, long sequence) {
        boolean sameId = queue.producer.id() == newest.id();
        exhausted |= sameId && queue.producer.epoch() == Short.MAX_VALUE;
        if (queue.inFlight > 0 || (sameId && exhausted)) {
            return false;
        }
        queue.producer = sameId ? queue.producer.next() : newest;
        queue.nextBaseSequence = 0;
        queue.numberedTo = sequence;
        return true;
    }

    void stamp(PartitionQueue queue, PendingBatch batch) {
        TrialClock own = Objects.requireNonNull(clock);
        BatchTemplate encoded = batch.encoded();
        encoded.timestamp(own.toEpochNanos(batch.due[0]) / 1_000_000);
        encoded.producer(queue.producer.id(), queue.producer.epoch(), batch.baseSequence);
        encoded.stamp(queue.producerIndex, batch.firstSequence, batch.due, 0, own.epochOffsetNanos());
    }

    /** Links batches to the audit if their records have no identity: the batch header then identifies them. */
    private void identifyBatches(PartitionQueue queue, PendingBatch batch) {
        ProducerIdentity producer = queue.producer;
        boolean known = queue.knownProducer.equals(producer);
        ProducerTrail trail = queue.trail;
        if (audit != null && trail != null && !known && batch.encoded().level() != IdentityLevel.IDENTITY) {
            TopicPartition partition =
                    new TopicPartition(Objects.requireNonNull(queue.topic).name(), queue.partition);
            long sequence = batch.firstSequence - batch.baseSequence;
            audit.batches(trail, partition, producer.id(), producer.epoch(), sequence);
            queue.knownProducer = producer;
        }
    }

    /** The next sequence, which continues at 0 after the largest int. */
    static int increment(int sequence, int by) {
        return sequence > Integer.MAX_VALUE - by ? by - (Integer.MAX_VALUE - sequence) - 1 : sequence + by;
    }
}
