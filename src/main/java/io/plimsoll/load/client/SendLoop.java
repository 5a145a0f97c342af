package io.plimsoll.load.client;

import io.plimsoll.audit.Journal.Ending;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.DueTimes;
import io.plimsoll.load.PreciseWait;
import io.plimsoll.load.ProducerTrail;
import io.plimsoll.load.Producers.Sender;
import io.plimsoll.load.Replies;
import io.plimsoll.load.StageCpu;
import io.plimsoll.load.Waiter;
import io.plimsoll.load.client.ProducerClient.Ack;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.Endings;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.SpunTime;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.SendMode;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * One sending thread: takes the next intended time, waits for it, and sends the record. It never skips a late record
 * or moves an intended time.
 */
final class SendLoop implements Runnable, Sender {
    /** Maximum time in ns until the thread notices a stop request. */
    private static final long MAX_PARK_NANOS = Duration.ofMillis(100).toNanos();

    /** Encoding is timed once per this number of records, because timing takes longer than encoding. */
    private static final int TIMED_RECORDS = 64;

    private static final long SHORT_WAIT_NANOS = Duration.ofMillis(50).toNanos();
    private static final long LONG_WAIT_NANOS = Duration.ofMillis(100).toNanos();

    /**
     * The task of the thread.
     * @param timestamps whether each record's timestamp is its intended time, for records too small for a stamp
     * @param trail receives the outcome of each record; null without an audit by identities
     * @param replies reader of replies to the records; null without {@code reply}
     * @param thread number of the thread within the entry
     */
    record Task(
            Records records,
            DueTimes times,
            SendMode mode,
            boolean timestamps,
            RecordGenerator generator,
            @Nullable ProducerTrail trail,
            @Nullable Replies replies,
            int thread) {}

    private final ProducerClient client;
    private final SendMeter sends;
    private final Task task;
    private final TransactionPacer transactions;
    private final CountDownLatch started = new CountDownLatch(1);
    private final Waiter waiter;
    private final PreciseWait exactly;
    private final Consumer<Sentence> notes;
    private volatile @Nullable TrialClock clock;
    private volatile boolean stop;
    private volatile @Nullable Thread thread;
    private volatile boolean done;
    private final boolean evolves;
    private long sequence;
    /** End of the last commit, which delayed the next record. */
    private long heldUntilNanos = Long.MIN_VALUE;

    SendLoop(
            ProducerClient client,
            SendMeter sends,
            Task task,
            TransactionPacer transactions,
            Waiter waiter,
            PreciseWait exactly,
            Consumer<Sentence> notes) {
        this.client = client;
        this.sends = sends;
        this.task = task;
        this.evolves = task.generator().evolves();
        this.transactions = transactions;
        this.waiter = waiter;
        this.exactly = exactly;
        this.notes = notes;
    }

    @Override
    public void start(TrialClock trialClock) {
        task.times().start(trialClock);
        clock = trialClock;
        started.countDown();
    }

    /** Stops the thread and interrupts a blocked send. */
    @Override
    public void stop() {
        stop = true;
        started.countDown();
        Thread running = thread;
        if (running != null && !done) {
            running.interrupt();
        }
    }

    @Override
    public boolean sent() {
        return done;
    }

    @Override
    public DueTimes times() {
        return task.times();
    }

    @Override
    public AckMeter acks() {
        return client.acks;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            started.await();
            exactly.begin();
            TrialClock begun = clock;
            if (begun != null) {
                if (task.times().closedLoop()) {
                    closedLoop(begun);
                } else {
                    openLoop(begun);
                }
                transactions.end();
            }
        } catch (InterruptedException | InterruptException e) {
            // The thread was asked to stop.
        } catch (RuntimeException | Error e) {
            if (!stop) {
                client.acks.event(waiter.nanoTime(), Endings.event(KafkaErrors.kind(e)));
            }
            notes.accept(Sentence.of("load.producerEnded", e.getMessage() == null ? e : e.getMessage()));
        } finally {
            Thread.interrupted();
            SpunTime.forget();
            done = true;
        }
    }

    private void closedLoop(TrialClock begun) throws InterruptedException {
        long now = waitUntil(begun::startNanos, waiter.nanoTime());
        // Only one clock reading per record, because it takes 50 ns, a twentieth of the cost of a record.
        DueTimes times = task.times();
        while (!stop) {
            if (times.claim(1, now) == 0) {
                long from = times.resumeNanos(now);
                if (from == now || times.over(now)) {
                    return;
                }
                now = waitUntil(() -> from, now);
                continue;
            }
            now = afterTransaction(now);
            send(begun, now, now);
            transactions.afterRecord();
            now = waiter.nanoTime();
        }
    }

    private void openLoop(TrialClock begun) throws InterruptedException {
        DueTimes times = task.times();
        while (!stop) {
            long intended = times.next();
            if (intended == Long.MAX_VALUE) {
                return;
            }
            long now = waiter.nanoTime();
            if (now < intended) {
                now = waitUntil(times::next, now);
                if (stop) {
                    return;
                }
                intended = times.next();
                if (intended == Long.MAX_VALUE) {
                    return;
                }
                sends.tick(now - Math.max(intended, heldUntilNanos));
            } else if (times.tooLate(now)) {
                return;
            }
            now = afterTransaction(now);
            send(begun, intended, now);
            transactions.afterRecord();
        }
    }

    /** Ends and begins transactions that are due; returns the time after that. */
    private long afterTransaction(long now) {
        return transactions.before(now) ? waiter.nanoTime() : now;
    }

    /** Waits for a time that can change during the wait; returns the current time. */
    private long waitUntil(LongSupplier untilNanos, long nowNanos) {
        long now = nowNanos;
        for (long until = untilNanos.getAsLong(); now < until && until != Long.MAX_VALUE && !stop; ) {
            long commitIn = transactions.nanosUntilCommit(now);
            if (commitIn <= 0) {
                // The next transaction begins with the next record, so that none is empty.
                transactions.end();
                now = waiter.nanoTime();
                heldUntilNanos = now;
            } else if (until - now <= Math.min(commitIn, MAX_PARK_NANOS)) {
                now = exactly.until(until, now);
            } else {
                waiter.park(Math.min(commitIn, MAX_PARK_NANOS));
                now = waiter.nanoTime();
            }
            until = untilNanos.getAsLong();
        }
        return now;
    }

    private void send(TrialClock begun, long intended, long now) throws InterruptedException {
        int topic = task.records().nextTopic();
        RecordGenerator generator = task.generator();
        long intendedEpochNanos = begun.toEpochNanos(intended);
        long number = sequence++;
        boolean timed = generator.serializes() && number % TIMED_RECORDS == 0;
        long cpu = timed ? StageCpu.now() : 0;
        long from = timed ? System.nanoTime() : 0;
        if (evolves) {
            long start = begun.measureStartNanos();
            client.acks.event(now, generator.evolve(start == Long.MAX_VALUE ? -1 : intended - start));
        }
        byte[] key = generator.nextKey(intendedEpochNanos);
        byte[] value = generator.nextValue(number, intendedEpochNanos);
        if (timed) {
            long nanos = System.nanoTime() - from;
            sends.serialized(intended, nanos, StageCpu.since(cpu));
        }
        Ack ack = ack(topic, intended, now, (key == null ? 0 : key.length) + value.length);
        Long timestamp = task.timestamps() ? Long.valueOf(intendedEpochNanos / 1_000_000) : null;
        ProducerRecord<byte[], byte[]> record = task.records().of(topic, number, timestamp, key, value);
        Replies replies = task.replies();
        Callback callback = replies == null ? ack : awaited(replies, record, intended, ack);
        // From here on, the record has an outcome even if the thread ends. Before this point, it counts as unsent.
        task.times().taken();
        sends.sent(intended, now, 1);
        Future<RecordMetadata> future;
        sends.handing(now);
        try {
            future = client.producer.send(record, callback);
        } catch (InterruptException | Error e) {
            client.acks.abandoned(intended, waiter.nanoTime());
            throw e;
        } catch (RuntimeException e) {
            client.failed(intended, e);
            refused();
            if (task.trail() != null) {
                task.trail().ended(Ending.FAILED, sequence - 1, 1);
            }
            if (ProducerClient.fatal(e)) {
                throw e;
            }
            return;
        } finally {
            sends.handed();
        }
        ack.taken(future);
        if (future.isDone()) {
            waitedInVain(future, now);
        }
        afterSend(future);
    }

    /** Counts a wait for metadata that failed, because the client counts only successful waits. */
    private void waitedInVain(Future<RecordMetadata> future, long fromNanos) throws InterruptedException {
        try {
            future.get();
        } catch (ExecutionException e) {
            if (KafkaErrors.kind(e).equals("metadataTimeout")) {
                sends.held(waiter.nanoTime() - fromNanos);
            }
        }
    }

    private Callback awaited(Replies replies, ProducerRecord<byte[], byte[]> record, long intended, Ack ack) {
        long number = replies.sent(task.thread(), record, intended);
        return (metadata, failure) -> {
            ack.onCompletion(metadata, failure);
            // A record without an acknowledgment still waits for its reply.
            if (failure == null || !client.abandoning()) {
                replies.outcome(number, metadata, failure);
            }
        };
    }

    private void refused() {
        if (task.replies() != null && !client.abandoning()) {
            task.replies().refused(task.thread());
        }
    }

    private Ack ack(int topic, long intended, long now, int bytes) {
        ProducerTrail trail = task.trail();
        if (trail == null) {
            return client.new Ack(topic, intended, now, bytes);
        }
        trail.sent(sequence);
        return client.new AuditedAck(topic, intended, now, bytes, trail, sequence - 1);
    }

    private void afterSend(Future<RecordMetadata> future) throws InterruptedException {
        if (task.mode() instanceof SendMode.Async) {
            return;
        }
        if (task.mode() instanceof SendMode.FlushEvery flush) {
            if (sequence % flush.records() == 0) {
                client.producer.flush();
            }
        } else if (task.mode() instanceof SendMode.Sync sync) {
            long from = waiter.nanoTime();
            try {
                if (sync.timeout().isPresent()) {
                    future.get(sync.timeout().get().toNanos(), TimeUnit.NANOSECONDS);
                } else {
                    future.get();
                }
            } catch (TimeoutException e) {
                // The record can still succeed; its callback counts the outcome.
                client.acks.event(waiter.nanoTime(), "waitTimedOut");
            } catch (ExecutionException e) {
                // The callback counts the failure.
            }
            long held = waiter.nanoTime() - from;
            sends.held(held);
            countWait(held);
        }
    }

    /** Counts a wait in every class that it exceeds: a wait above 100 ms is also above 50 ms. */
    private void countWait(long nanos) {
        if (nanos > SHORT_WAIT_NANOS) {
            client.acks.event(waiter.nanoTime(), "waitedOver50ms");
            if (nanos > LONG_WAIT_NANOS) {
                client.acks.event(waiter.nanoTime(), "waitedOver100ms");
            }
        }
    }

    /**
     * Creates the {@link ProducerRecord}s of one sending thread. {@code send} copies a generated value before it
     * returns, so records that are otherwise equal share one object per topic. Used by that thread.
     */
    static final class Records {
        private final String[] topics;
        private final int topicsInTurn;
        private final @Nullable Integer[] partitions;
        private final List<Header> headers;
        private final boolean reuse;
        private final @Nullable ProducerRecord<byte[], byte[]>[] last;
        private int topic;

        /**
         * @param onlyTopic index of the only topic; −1 for all topics in turn
         * @param partitions to use in turn in each topic; empty if the key or the partitioner decides
         * @param reuse false if records can be changed in flight or have different timestamps
         */
        @SuppressWarnings({"unchecked", "rawtypes"})
        Records(List<String> topics, int onlyTopic, List<Integer> partitions, List<Header> headers, boolean reuse) {
            this.topics = topics.toArray(new String[0]);
            this.topicsInTurn = onlyTopic >= 0 ? 1 : topics.size();
            this.partitions = partitions.isEmpty() ? new Integer[] {null} : partitions.toArray(new Integer[0]);
            this.headers = headers;
            this.topic = Math.max(0, onlyTopic);
            this.reuse = reuse;
            this.last = new ProducerRecord[this.topics.length * this.partitions.length];
        }

        int nextTopic() {
            int next = topic;
            if (topicsInTurn > 1) {
                topic = next + 1 == topics.length ? 0 : next + 1;
            }
            return next;
        }

        /**
         * @param sequence of the record in its thread
         * @param timestamp null for the time of the client
         */
        ProducerRecord<byte[], byte[]> of(
                int topic, long sequence, @Nullable Long timestamp, byte @Nullable [] key, byte[] value) {
            int turn = partitions.length == 1 ? 0 : (int) (sequence / topicsInTurn % partitions.length);
            int at = topic * partitions.length + turn;
            if (reuse) {
                ProducerRecord<byte[], byte[]> before = last[at];
                if (before != null && before.key() == key && before.value() == value) {
                    return before;
                }
            }
            last[at] = new ProducerRecord<>(topics[topic], partitions[turn], timestamp, key, value, headers);
            return last[at];
        }
    }
}
